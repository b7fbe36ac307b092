#pragma once

#include "codec/base/bytes.h"

// Strings that are preceded by their lengths to strings that are followed by a byte, and back: type 29 of the tensor
// transform. Pure loops.
namespace glyd::tensor {

// The byte that ends a string: it occurs in no UTF-8 text.
inline constexpr uint8_t kStringEnd = 0xFF;
inline constexpr size_t kLengthBytes = 8;

// How much of `content` is whole strings without kStringEnd in them, from the start on.
struct WholeStrings {
  size_t size = 0;  // bytes of content
  size_t count = 0;
};
WholeStrings whole_strings(Bytes content);

// Writes the strings, each followed by kStringEnd, to `text` and returns its end: 7 bytes fewer for each string. Precondition:
// content is whole strings.
uint8_t* strip_lengths(Bytes content, uint8_t* text);

// The other way round: fills `content` from `text` and returns where it stopped reading, or nullptr when the text does not
// end there with a string, or has not `count` of them.
const uint8_t* restore_lengths(Bytes text, size_t count, MutableBytes content);

}  // namespace glyd::tensor

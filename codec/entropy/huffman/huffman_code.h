#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "codec/base/status.h"
#include "codec/entropy/histogram.h"

// Canonical Huffman codes whose lengths are limited: lengths from counts, codes from lengths. What is done with the
// codes is in huffman_block.h (bytes in a file) and codec/entropy/weights (32 lanes in VRAM).
namespace glyd::huffman {

inline constexpr unsigned kMinLimit = 4;
inline constexpr unsigned kMaxLimit = 15;
// Bytes, and one more symbol that may stand for "none of those with a code".
inline constexpr size_t kMaxSymbols = 257;
inline constexpr size_t kEscape = 256;

// Fills lengths[i] with the code length of symbol i so that the sum of counts[i] * lengths[i] is the least possible
// with no length above `limit` (Huffman 1952; package-merge, Larmore and Hirschberg 1990). A symbol whose count is 0
// gets 0, which means no code; the only symbol of a one-symbol alphabet gets 1. The result depends on the counts alone.
// Returns false, and leaves `lengths` undefined, when more than 2^limit symbols occur.
// Preconditions: kMinLimit <= limit <= kMaxLimit; both spans have the same size, at most kMaxSymbols; the counts' sum is
// below 2^48.
bool code_lengths(std::span<const uint64_t> counts, unsigned limit, std::span<uint8_t> lengths);

// Whether some prefix code has these lengths and no bit pattern is left over (Kraft's sum is 1), or there is exactly one
// symbol, of length 1. What a decoder has to ask of lengths it has read.
bool is_complete(std::span<const uint8_t> lengths);

// Fills codes[i] with the code of symbol i, its first bit in bit 0. Canonical: shorter codes before longer ones,
// symbols of one length in ascending order, each code (read with the first bit as the most significant) one more than
// the one before. 0 for symbols without a code. Precondition: is_complete(lengths).
void canonical_codes(std::span<const uint8_t> lengths, std::span<uint16_t> codes);

// A code for bytes in which rare ones have no code of their own: kEscape is written, and the byte elsewhere.
struct EscapedCode {
  std::array<uint8_t, kMaxSymbols> lengths{};  // [kEscape] is the escape's
  uint64_t escapes = 0;                        // how many of the counted symbols have none
  uint64_t bits = 0;                           // in all, with `escape_bits` for each escape
};

// Chooses which symbols get a code: the most frequent ones, as many as make the total the least, where an escape costs
// `escape_bits` besides its code. The escape always has a code, so that any byte can be written. Precondition: as
// code_lengths(); at least one symbol occurs.
EscapedCode escaped_code(const Histogram& histogram, unsigned limit, unsigned escape_bits);

}  // namespace glyd::huffman

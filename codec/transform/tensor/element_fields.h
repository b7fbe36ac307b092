#pragma once

#include <span>

#include "codec/base/bytes.h"
#include "codec/base/element_type.h"

// Elements to fields and back: the pure loops of the tensor transform. spec.md has the table of fields.
namespace glyd::tensor {

inline constexpr size_t kMaxFields = 8;
// Content bytes of a chunk, at most.
inline constexpr size_t kChunkBytes = size_t{1} << 18;

struct Field {
  enum class Kind : uint8_t { kBytes, kExponent, kSignMantissa };
  Kind kind = Kind::kBytes;
  uint8_t offset = 0;  // in the element; of the lower of two bytes for the last two kinds
  uint8_t width = 1;   // bytes
};

// The fields of a type in the order of their streams. Empty for text.
std::span<const Field> fields_of(ElementType type);
// Elements in a full chunk.
size_t chunk_elements(ElementType type);

// Takes `count` elements apart: fields[i], which has room for count * width bytes, gets those of the type's field i.
// Precondition: the type has fields.
void split_elements(ElementType type, const uint8_t* elements, size_t count, std::span<uint8_t* const> fields);

// The other way round.
void join_elements(ElementType type, std::span<const uint8_t* const> fields, size_t count, uint8_t* elements);

// values[i] -= base[i], and += ; modulo 256. For form 1.
void subtract_bytes(uint8_t* values, const uint8_t* base, size_t size);
void add_bytes(uint8_t* values, const uint8_t* base, size_t size);

}  // namespace glyd::tensor

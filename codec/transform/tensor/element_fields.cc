#include "codec/transform/tensor/element_fields.h"

#include <cstring>

namespace glyd::tensor {
namespace {

using Kind = Field::Kind;

constexpr Field bytes(uint8_t offset, uint8_t width) {
  return {Kind::kBytes, offset, width};
}

constexpr Field kBf16[] = {{Kind::kExponent, 0, 1}, {Kind::kSignMantissa, 0, 1}};
constexpr Field kFp32[] = {{Kind::kExponent, 2, 1}, {Kind::kSignMantissa, 2, 1}, bytes(1, 1), bytes(0, 1)};
constexpr Field kFp64[] = {{Kind::kExponent, 6, 1},
                           {Kind::kSignMantissa, 6, 1},
                           bytes(5, 1),
                           bytes(4, 1),
                           bytes(3, 1),
                           bytes(2, 1),
                           bytes(1, 1),
                           bytes(0, 1)};
constexpr Field kOneByte[] = {bytes(0, 1)};
constexpr Field kTwoBytes[] = {bytes(1, 1), bytes(0, 1)};
constexpr Field kFourBytes[] = {bytes(3, 1), bytes(2, 1), bytes(1, 1), bytes(0, 1)};
constexpr Field kEightBytes[] = {bytes(7, 1), bytes(6, 1), bytes(5, 1), bytes(4, 1),
                                 bytes(3, 1), bytes(2, 1), bytes(1, 1), bytes(0, 1)};
constexpr Field kQ4_0[] = {bytes(1, 1), bytes(0, 1), bytes(2, 16)};
constexpr Field kQ4_1[] = {bytes(1, 1), bytes(0, 1), bytes(3, 1), bytes(2, 1), bytes(4, 16)};
constexpr Field kQ5_0[] = {bytes(1, 1), bytes(0, 1), bytes(2, 4), bytes(6, 16)};
constexpr Field kQ5_1[] = {bytes(1, 1), bytes(0, 1), bytes(3, 1), bytes(2, 1), bytes(4, 4), bytes(8, 16)};
constexpr Field kQ8_0[] = {bytes(1, 1), bytes(0, 1), bytes(2, 32)};
constexpr Field kQ2K[] = {bytes(0, 16), bytes(16, 64), bytes(81, 1), bytes(80, 1), bytes(83, 1), bytes(82, 1)};
constexpr Field kQ3K[] = {bytes(0, 32), bytes(32, 64), bytes(96, 12), bytes(109, 1), bytes(108, 1)};
constexpr Field kQ4K[] = {bytes(1, 1), bytes(0, 1), bytes(3, 1), bytes(2, 1), bytes(4, 12), bytes(16, 128)};
constexpr Field kQ5K[] = {bytes(1, 1),  bytes(0, 1),   bytes(3, 1),   bytes(2, 1),
                          bytes(4, 12), bytes(16, 32), bytes(48, 128)};
constexpr Field kQ6K[] = {bytes(0, 128), bytes(128, 64), bytes(192, 16), bytes(209, 1), bytes(208, 1)};
constexpr Field kIq4Xs[] = {bytes(1, 1), bytes(0, 1), bytes(3, 1), bytes(2, 1), bytes(4, 4), bytes(8, 128)};
constexpr Field kMxfp4[] = {bytes(0, 1), bytes(1, 16)};

uint8_t exponent_of(uint16_t top) {
  return static_cast<uint8_t>(top >> 7);
}
uint8_t sign_mantissa_of(uint16_t top) {
  return static_cast<uint8_t>((top >> 8 & 0x80) | (top & 0x7F));
}
uint16_t top_of(uint8_t exponent, uint8_t sign_mantissa) {
  return static_cast<uint16_t>((sign_mantissa & 0x80) << 8 | exponent << 7 | (sign_mantissa & 0x7F));
}

void split_bf16(const uint8_t* __restrict elements, size_t count, uint8_t* __restrict exponents,
                uint8_t* __restrict rest) {
  for (size_t i = 0; i < count; ++i) {
    const uint16_t top = load_le<uint16_t>(elements + 2 * i);
    exponents[i] = exponent_of(top);
    rest[i] = sign_mantissa_of(top);
  }
}

void join_bf16(const uint8_t* __restrict exponents, const uint8_t* __restrict rest, size_t count,
               uint8_t* __restrict elements) {
  for (size_t i = 0; i < count; ++i) store_le(elements + 2 * i, top_of(exponents[i], rest[i]));
}

void split_fp32(const uint8_t* __restrict elements, size_t count, std::span<uint8_t* const> fields) {
  uint8_t* const __restrict exponents = fields[0];
  uint8_t* const __restrict rest = fields[1];
  uint8_t* const __restrict high = fields[2];
  uint8_t* const __restrict low = fields[3];
  for (size_t i = 0; i < count; ++i) {
    const uint32_t word = load_le<uint32_t>(elements + 4 * i);
    const uint16_t top = static_cast<uint16_t>(word >> 16);
    exponents[i] = exponent_of(top);
    rest[i] = sign_mantissa_of(top);
    high[i] = static_cast<uint8_t>(word >> 8);
    low[i] = static_cast<uint8_t>(word);
  }
}

void join_fp32(std::span<const uint8_t* const> fields, size_t count, uint8_t* __restrict elements) {
  const uint8_t* const __restrict exponents = fields[0];
  const uint8_t* const __restrict rest = fields[1];
  const uint8_t* const __restrict high = fields[2];
  const uint8_t* const __restrict low = fields[3];
  for (size_t i = 0; i < count; ++i) {
    const uint32_t top = top_of(exponents[i], rest[i]);
    store_le(elements + 4 * i, top << 16 | uint32_t{high[i]} << 8 | low[i]);
  }
}

void split_16(const uint8_t* __restrict elements, size_t count, uint8_t* __restrict high, uint8_t* __restrict low) {
  for (size_t i = 0; i < count; ++i) {
    const uint16_t word = load_le<uint16_t>(elements + 2 * i);
    high[i] = static_cast<uint8_t>(word >> 8);
    low[i] = static_cast<uint8_t>(word);
  }
}

void join_16(const uint8_t* __restrict high, const uint8_t* __restrict low, size_t count,
             uint8_t* __restrict elements) {
  for (size_t i = 0; i < count; ++i) store_le(elements + 2 * i, static_cast<uint16_t>(high[i] << 8 | low[i]));
}

void split_field(const Field& field, const uint8_t* from, size_t stride, size_t count, uint8_t* to) {
  from += field.offset;
  for (size_t i = 0; i < count; ++i, from += stride) {
    if (field.kind == Kind::kExponent) {
      to[i] = exponent_of(load_le<uint16_t>(from));
    } else if (field.kind == Kind::kSignMantissa) {
      to[i] = sign_mantissa_of(load_le<uint16_t>(from));
    } else if (field.width == 1) {
      to[i] = *from;
    } else {
      std::memcpy(to + i * field.width, from, field.width);
    }
  }
}

void join_field(const Field& field, const uint8_t* from, size_t stride, size_t count, uint8_t* to) {
  to += field.offset;
  for (size_t i = 0; i < count; ++i, to += stride) {
    if (field.kind == Kind::kExponent) {
      store_le(to, top_of(from[i], 0));
    } else if (field.kind == Kind::kSignMantissa) {
      store_le(to, static_cast<uint16_t>(load_le<uint16_t>(to) | top_of(0, from[i])));
    } else if (field.width == 1) {
      *to = from[i];
    } else {
      std::memcpy(to, from + i * field.width, field.width);
    }
  }
}

}  // namespace

std::span<const Field> fields_of(ElementType type) {
  switch (type) {
    case ElementType::kBytes:
    case ElementType::kStrings:
    case ElementType::kSafetensorsHeader:
      return {};
    case ElementType::kBf16:
      return kBf16;
    case ElementType::kFp16:
    case ElementType::kInt16:
      return kTwoBytes;
    case ElementType::kFp32:
      return kFp32;
    case ElementType::kFp64:
      return kFp64;
    case ElementType::kFp8E4m3:
    case ElementType::kFp8E5m2:
    case ElementType::kInt8:
      return kOneByte;
    case ElementType::kInt32:
      return kFourBytes;
    case ElementType::kInt64:
      return kEightBytes;
    case ElementType::kQ4_0:
    case ElementType::kIq4Nl:
      return kQ4_0;
    case ElementType::kQ4_1:
      return kQ4_1;
    case ElementType::kQ5_0:
      return kQ5_0;
    case ElementType::kQ5_1:
      return kQ5_1;
    case ElementType::kQ8_0:
      return kQ8_0;
    case ElementType::kQ2K:
      return kQ2K;
    case ElementType::kQ3K:
      return kQ3K;
    case ElementType::kQ4K:
      return kQ4K;
    case ElementType::kQ5K:
      return kQ5K;
    case ElementType::kQ6K:
      return kQ6K;
    case ElementType::kIq4Xs:
      return kIq4Xs;
    case ElementType::kMxfp4:
      return kMxfp4;
  }
  return {};
}

size_t chunk_elements(ElementType type) {
  return kChunkBytes / find_element_type(static_cast<uint64_t>(type))->size;
}

void split_elements(ElementType type, const uint8_t* elements, size_t count, std::span<uint8_t* const> fields) {
  const std::span<const Field> list = fields_of(type);
  if (type == ElementType::kBf16) return split_bf16(elements, count, fields[0], fields[1]);
  if (type == ElementType::kFp32) return split_fp32(elements, count, fields);
  if (list.data() == kTwoBytes) return split_16(elements, count, fields[0], fields[1]);
  if (list.data() == kOneByte) {
    std::memcpy(fields[0], elements, count);
    return;
  }
  const size_t stride = find_element_type(static_cast<uint64_t>(type))->size;
  for (size_t i = 0; i < list.size(); ++i) split_field(list[i], elements, stride, count, fields[i]);
}

void join_elements(ElementType type, std::span<const uint8_t* const> fields, size_t count, uint8_t* elements) {
  const std::span<const Field> list = fields_of(type);
  if (type == ElementType::kBf16) return join_bf16(fields[0], fields[1], count, elements);
  if (type == ElementType::kFp32) return join_fp32(fields, count, elements);
  if (list.data() == kTwoBytes) return join_16(fields[0], fields[1], count, elements);
  if (list.data() == kOneByte) {
    std::memcpy(elements, fields[0], count);
    return;
  }
  const size_t stride = find_element_type(static_cast<uint64_t>(type))->size;
  for (size_t i = 0; i < list.size(); ++i) join_field(list[i], fields[i], stride, count, elements);
}

void subtract_bytes(uint8_t* values, const uint8_t* base, size_t size) {
  for (size_t i = 0; i < size; ++i) values[i] = static_cast<uint8_t>(values[i] - base[i]);
}

void add_bytes(uint8_t* values, const uint8_t* base, size_t size) {
  for (size_t i = 0; i < size; ++i) values[i] = static_cast<uint8_t>(values[i] + base[i]);
}

}  // namespace glyd::tensor

#pragma once

#include <cstdint>
#include <optional>
#include <span>

// Sizes of arrays whose shapes come from a file. Private to codec/model.
namespace glyd {

// a * b, or nothing when that is above 64 bits.
constexpr std::optional<uint64_t> checked_product(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// Elements of an array of this shape; 1 for a scalar. A dimension of zero makes it 0 whatever the others are.
constexpr std::optional<uint64_t> element_count(std::span<const uint64_t> shape) {
  for (const uint64_t dimension : shape) {
    if (dimension == 0) return 0;
  }
  std::optional<uint64_t> count = 1;
  for (const uint64_t dimension : shape) {
    if (!count) break;
    count = checked_product(*count, dimension);
  }
  return count;
}

constexpr std::optional<uint64_t> array_bytes(std::span<const uint64_t> shape, uint64_t element_size) {
  const std::optional<uint64_t> count = element_count(shape);
  return count ? checked_product(*count, element_size) : std::nullopt;
}

}  // namespace glyd

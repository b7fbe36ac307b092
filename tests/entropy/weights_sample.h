#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "codec/base/bytes.h"
#include "tests/adversarial_inputs.h"

// Matrices of bf16 weights for tests, made from a seed.
namespace glyd::weights::testing {

struct SampleMatrix {
  uint64_t rows = 0;
  uint64_t columns = 0;
  std::vector<uint16_t> weights;

  Bytes bytes() const { return {reinterpret_cast<const uint8_t*>(weights.data()), weights.size() * 2}; }
};

// bf16 nearest to `value`, ties to even.
inline uint16_t to_bf16(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

// Gaussian with deviation 1 (Box and Muller 1958).
inline double gaussian(glyd::testing::Random& random) {
  const double radius = static_cast<double>((random.next() >> 11) + 1) * 0x1p-53;
  const double angle = static_cast<double>(random.next() >> 11) * 0x1p-53 * 6.283185307179586;
  return std::sqrt(-2 * std::log(radius)) * std::cos(angle);
}

// Like a layer's weights: Gaussian rows whose deviations are log-normal about 0.02.
inline SampleMatrix layer_weights(uint64_t rows, uint64_t columns, double row_spread, uint64_t seed) {
  glyd::testing::Random random(seed);
  SampleMatrix matrix{rows, columns, std::vector<uint16_t>(rows * columns)};
  size_t next = 0;
  for (uint64_t row = 0; row < rows; ++row) {
    const double deviation = 0.02 * std::exp(row_spread * gaussian(random));
    for (uint64_t column = 0; column < columns; ++column) {
      matrix.weights[next++] = to_bf16(static_cast<float>(deviation * gaussian(random)));
    }
  }
  return matrix;
}

inline SampleMatrix random_bits(uint64_t rows, uint64_t columns, uint64_t seed) {
  glyd::testing::Random random(seed);
  SampleMatrix matrix{rows, columns, std::vector<uint16_t>(rows * columns)};
  for (uint16_t& weight : matrix.weights) weight = static_cast<uint16_t>(random.next());
  return matrix;
}

}  // namespace glyd::weights::testing

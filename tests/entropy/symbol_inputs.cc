#include "tests/entropy/symbol_inputs.h"

#include <bit>

namespace glyd::testing {

std::vector<uint8_t> exponent_like(size_t size, uint64_t seed) {
  // The sum of 12 uniform numbers is close to Gaussian, and the same everywhere; its leading bit is the exponent.
  Random random(seed);
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) {
    int64_t sum = 0;
    for (int i = 0; i < 12; ++i) sum += static_cast<int64_t>(random.below(1 << 20)) - (1 << 19);
    byte = static_cast<uint8_t>(100 + std::bit_width(static_cast<uint64_t>(sum < 0 ? -sum : sum)));
  }
  return bytes;
}

std::vector<NamedInput> symbol_inputs() {
  std::vector<NamedInput> inputs;
  for (NamedInput& input : adversarial_inputs()) {
    if (!input.bytes.empty()) inputs.push_back(std::move(input));
  }
  for (const size_t size : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 1023, 1024, 1025, 4096}) {
    inputs.push_back({"exponents " + std::to_string(size), exponent_like(size, size)});
    inputs.push_back({"random " + std::to_string(size), random_bytes(size, size)});
  }
  Random random(5);
  for (const uint64_t symbols : {2, 3, 5, 17, 100, 256}) {
    std::vector<uint8_t> flat(20000);
    std::vector<uint8_t> skewed(20000);
    for (size_t i = 0; i < flat.size(); ++i) {
      flat[i] = static_cast<uint8_t>(255 - random.below(symbols));
      // Halves from symbol to symbol.
      skewed[i] =
          static_cast<uint8_t>(std::countr_zero(random.next() | uint64_t{1} << (symbols > 60 ? 60 : symbols - 1)));
    }
    inputs.push_back({"flat over " + std::to_string(symbols), flat});
    inputs.push_back({"halving over " + std::to_string(symbols), skewed});
  }
  std::vector<uint8_t> rare(100000, 200);
  rare[77777] = 3;
  inputs.push_back({"one in 100,000", rare});
  std::vector<uint8_t> all_but_one(100000, 255);
  for (size_t i = 0; i < 256; ++i) all_but_one[i * 300] = static_cast<uint8_t>(i);
  inputs.push_back({"255 rare ones", all_but_one});
  return inputs;
}

}  // namespace glyd::testing

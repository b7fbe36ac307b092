#include "codec/entropy/histogram.h"

#include <gtest/gtest.h>

#include "tests/entropy/symbol_inputs.h"

namespace glyd {
namespace {

TEST(Histogram, CountsEveryByte) {
  for (const testing::NamedInput& input : testing::symbol_inputs()) {
    Histogram expected{};
    for (const uint8_t byte : input.bytes) ++expected[byte];
    EXPECT_EQ(count_symbols(input.bytes), expected) << input.name;
  }
  EXPECT_EQ(count_symbols({}), Histogram{});
}

TEST(Histogram, EntropyOfKnownShares) {
  Histogram histogram{};
  EXPECT_EQ(entropy_bits(histogram), 0.0);
  histogram[7] = 1000;
  EXPECT_EQ(entropy_bits(histogram), 0.0);
  histogram[8] = 1000;
  EXPECT_NEAR(entropy_bits(histogram), 2000, 1e-6);
  histogram[9] = 2000;
  EXPECT_NEAR(entropy_bits(histogram), 6000, 1e-6);
  histogram.fill(3);
  EXPECT_NEAR(entropy_bits(histogram), 8.0 * 3 * 256, 1e-6);
}

}  // namespace
}  // namespace glyd

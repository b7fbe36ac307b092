#include <gtest/gtest.h>

#include "codec/transform/run_length/run_length_kernel.h"

namespace glyd::run_length {
namespace {

std::vector<uint8_t> encoded(const std::vector<uint8_t>& input) {
  std::vector<uint8_t> output(2 * input.size() + 64);
  output.resize(encode(input, output));
  return output;
}

TEST(RunLength, WritesWhatTheSpecSays) {
  std::vector<uint8_t> input(300, 9);
  EXPECT_EQ(encoded(input), (std::vector<uint8_t>{0xD9, 0x04, 9}));  // 300 * 2 + 1, then the byte
  input.insert(input.begin(), {1, 2, 3});
  EXPECT_EQ(encoded(input), (std::vector<uint8_t>{6, 1, 2, 3, 0xD9, 0x04, 9}));
}

TEST(RunLength, FindsEveryRunOfItsSmallestLengthAtEveryPlace) {
  for (size_t before = 0; before < 70; ++before) {
    for (size_t length = kMinRun; length < kMinRun + 40; ++length) {
      std::vector<uint8_t> input;
      for (size_t i = 0; i < before; ++i) input.push_back(static_cast<uint8_t>(i | 1));
      input.insert(input.end(), length, 0);
      for (size_t i = 0; i < 30; ++i) input.push_back(static_cast<uint8_t>(i | 1));
      const std::vector<uint8_t> output = encoded(input);
      EXPECT_LE(output.size(), input.size() - length + 6) << before << " " << length;
      std::vector<uint8_t> back(input.size());
      ASSERT_TRUE(decode(output, back));
      EXPECT_EQ(back, input);
    }
  }
}

TEST(RunLength, RunSizeCountsEqualBytes) {
  for (size_t size = 1; size < 60; ++size) {
    std::vector<uint8_t> bytes(size, 5);
    EXPECT_EQ(run_size(bytes.data(), bytes.data() + size), size);
    for (size_t at = 1; at < size; ++at) {
      bytes[at] = 6;
      EXPECT_EQ(run_size(bytes.data(), bytes.data() + size), at);
      bytes[at] = 5;
    }
  }
}

TEST(RunLength, RefusesWhatTheSpecCallsDamage) {
  std::vector<uint8_t> output(10);
  EXPECT_FALSE(decode(std::vector<uint8_t>{0, 1}, output));           // n = 0
  EXPECT_FALSE(decode(std::vector<uint8_t>{1, 1}, output));           // n = 0, run
  EXPECT_FALSE(decode(std::vector<uint8_t>{23, 1}, output));          // 11 bytes where 10 are expected
  EXPECT_FALSE(decode(std::vector<uint8_t>{19, 1}, output));          // 9 bytes
  EXPECT_FALSE(decode(std::vector<uint8_t>{21}, output));             // the byte is missing
  EXPECT_FALSE(decode(std::vector<uint8_t>{0x95, 0x00, 1}, output));  // overlong varint
  EXPECT_FALSE(decode(std::vector<uint8_t>{20, 1, 2, 3}, output));    // literals are missing
  const std::vector<uint8_t> huge = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 1};
  EXPECT_FALSE(decode(huge, output));
  EXPECT_TRUE(decode(std::vector<uint8_t>{21, 1}, output));
  EXPECT_EQ(output, std::vector<uint8_t>(10, 1));
}

}  // namespace
}  // namespace glyd::run_length

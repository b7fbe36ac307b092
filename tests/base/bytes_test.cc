#include "codec/base/bytes.h"

#include <gtest/gtest.h>

namespace glyd {
namespace {

TEST(Varint, RoundTripsAtEveryLength) {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    const uint64_t edge = bits == 64 ? ~uint64_t{0} : uint64_t{1} << bits;
    for (const uint64_t value : {edge - 1, edge, edge + 1}) {
      std::vector<uint8_t> bytes;
      append_varint(bytes, value);
      std::array<uint8_t, kMaxVarintSize> stored;
      uint8_t* const end = store_varint(stored.data(), value);
      EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), stored.data(), end));
      ByteReader reader(bytes);
      EXPECT_EQ(reader.read_varint(), value);
      EXPECT_TRUE(reader.ok());
      EXPECT_EQ(reader.remaining(), 0u);
    }
  }
}

TEST(Varint, RefusesOverlongAndOverflowingForms) {
  const std::vector<std::vector<uint8_t>> wrong = {
      {0x80, 0x00},                                                        // 0 in two bytes
      {0xFF, 0x80, 0x00},                                                  // 127 in three
      {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02},        // bit 64
      {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x81, 0x00},  // an eleventh byte
  };
  for (const auto& bytes : wrong) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.read_varint(), 0u);
    EXPECT_FALSE(reader.ok());
    EXPECT_FALSE(reader.truncated());
  }
}

TEST(Varint, SaysWhenItIsCutOff) {
  const std::vector<uint8_t> bytes = {0x80};
  ByteReader reader(bytes);
  reader.read_varint();
  EXPECT_FALSE(reader.ok());
  EXPECT_TRUE(reader.truncated());
}

TEST(ByteReader, StaysFailedAndNeverReadsPastTheEnd) {
  const std::vector<uint8_t> bytes = {1, 2, 3};
  ByteReader reader(bytes);
  EXPECT_EQ(reader.read_le<uint16_t>(), 0x0201);
  EXPECT_EQ(reader.read_le<uint32_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.read_le<uint8_t>(), 0u);
  EXPECT_TRUE(reader.read(0).empty());
  EXPECT_EQ(reader.position(), 2u);
}

}  // namespace
}  // namespace glyd

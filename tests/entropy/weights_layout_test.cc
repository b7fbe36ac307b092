#include <gtest/gtest.h>

#include <set>

#include "codec/entropy/weights/code_table.h"
#include "codec/entropy/weights/lane_decode.h"
#include "codec/entropy/weights/weight_packer.h"
#include "codec/entropy/weights/weight_unpacker.h"
#include "tests/adversarial_inputs.h"

// The bytes of codec/entropy/weights/spec.md, put together by hand, and the words that a lane works with.
namespace glyd::weights {
namespace {

class ByteList {
 public:
  template <typename T>
  ByteList& add(T value) {
    append_le(bytes_, value);
    return *this;
  }
  ByteList& zeros_to(size_t size) {
    EXPECT_LE(bytes_.size(), size);
    bytes_.resize(size);
    return *this;
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

std::vector<uint8_t> weight_bytes(std::initializer_list<uint16_t> weights) {
  ByteList list;
  for (const uint16_t weight : weights) list.add(weight);
  return list.bytes();
}

TEST(WeightLayout, FastExampleOfTheSpecification) {
  ByteList expected;
  expected.add<uint32_t>(0x57594C47).add<uint32_t>(1).add<uint32_t>(1);                  // magic, version, layout
  expected.add<uint32_t>(1).add<uint32_t>(2).add<uint32_t>(61).add<uint32_t>(0);         // rows, columns, window
  expected.add<uint32_t>(0).add<uint32_t>(0).add<uint32_t>(0);                           // limit, entries, reserved
  expected.add<uint64_t>(0).add<uint64_t>(0);                                            // patches, rows of words
  expected.add<uint64_t>(0).add<uint64_t>(0).add<uint64_t>(0).add<uint64_t>(256);        // sections
  expected.add<uint64_t>(512).add<uint64_t>(2048).add<uint64_t>(0).add<uint64_t>(2304);  // sections, total
  expected.zeros_to(512).add<uint8_t>(0x80).zeros_to(512 + 1024).add<uint32_t>(0x72).zeros_to(2304);
  const auto packed = pack_weights(weight_bytes({0x3F80, 0xC000}), 1, 2, {Layout::kFast});
  ASSERT_TRUE(packed.ok());
  EXPECT_EQ(packed->bytes, expected.bytes());
}

// Seven weights of exponents 127 and 64 in a row: a patch in each of lanes 0 to 3.
TEST(WeightLayout, FastPatches) {
  const auto packed = pack_weights(weight_bytes({0x3F81, 0x3F82, 0x3F83, 0x3F84, 0xA085, 0x3F86, 0x3F87, 0xA008}), 1, 8,
                                   {Layout::kFast});
  ASSERT_TRUE(packed.ok());
  const PackedHeader header = *check_header(packed->bytes);
  // Exponents 127, 65 and 64; the lowest window with 127 starts at 120 (or 121, shifted).
  EXPECT_EQ(header.window_base, 60u);
  EXPECT_EQ(header.exponent_shift, 0u);
  ASSERT_EQ(header.patch_count, 2u);
  // Columns 4 and 7 are weights 0 and 1 of lanes 2 and 3: places 32 and 49. Upper exponent bits 32, which the window's
  // 60 becomes by a change of 28, or 14 without its last bit.
  EXPECT_EQ(load_le<uint16_t>(packed->bytes.data() + header.patches_offset), 32 + (14 << 10));
  EXPECT_EQ(load_le<uint16_t>(packed->bytes.data() + header.patches_offset + 2), 49 + (14 << 10));
  EXPECT_EQ(packed->bytes[header.blocks_offset + 32], 0x85);
  EXPECT_EQ(packed->bytes[header.blocks_offset + 49], 0x08);
  // Code 4: sign, window value 0. Weight 0 of lane 2, and weight 1 of lane 3 after one of code 3.
  EXPECT_EQ(load_le<uint32_t>(packed->bytes.data() + header.blocks_offset + 1024 + 2 * 4), 0x34u);
  EXPECT_EQ(load_le<uint32_t>(packed->bytes.data() + header.blocks_offset + 1024 + 3 * 4), 0x43u);
}

TEST(WeightLayout, DenseExample) {
  // One row: exponents 127 three times, 128 once, and everything else padding. Padding is counted by nobody, so the code
  // has 127, 128 and the escape.
  const auto packed = pack_weights(weight_bytes({0x3F81, 0xBF82, 0x4003, 0x3F84}), 1, 4, {Layout::kDense, 4, 64});
  ASSERT_TRUE(packed.ok());
  const PackedHeader header = *check_header(packed->bytes);
  EXPECT_EQ(header.code_table_offset, 256u);
  EXPECT_EQ(header.segment_starts_offset, 512u);
  EXPECT_EQ(header.entry_positions_offset, 768u);
  EXPECT_EQ(header.patch_starts_offset, 1024u);
  EXPECT_EQ(header.blocks_offset, 1280u);
  EXPECT_EQ(header.patches_offset, 2304u);
  EXPECT_EQ(header.words_offset, 2560u);
  // 127: 0; 128: 10, first bit first; the escape: 11.
  const uint8_t* bytes = packed->bytes.data();
  EXPECT_EQ(load_le<uint16_t>(bytes + 256), 1 | 127 << 7);
  EXPECT_EQ(load_le<uint16_t>(bytes + 258), 2 | 128 << 7);
  EXPECT_EQ(load_le<uint16_t>(bytes + 262), 2 | 0x8000);
  EXPECT_EQ(load_le<uint16_t>(bytes + 264), 1 | 127 << 7);
  // Lane 1 has columns 2 and 3, of which 2 is the one of exponent 128: 33 bits, and so a second row of words.
  EXPECT_EQ(header.word_rows, 2u);
  EXPECT_EQ(load_le<uint32_t>(bytes + 516), 2u);
  EXPECT_EQ(bytes[1280], 0x01);
  EXPECT_EQ(bytes[1281], 0x82);
  EXPECT_EQ(bytes[1280 + 16], 0x03);
  EXPECT_EQ(bytes[1280 + 17], 0x04);
  EXPECT_EQ(load_le<uint32_t>(bytes + 2560), 0u);
  EXPECT_EQ(load_le<uint32_t>(bytes + 2560 + 4), 1u);
  EXPECT_EQ(header.total_bytes, 2560u + (2 + kWordTailRows) * 128);
}

// The bytes of a matrix with a bit of everything, by their FNV-1a hash: the same on every machine and in every version.
TEST(WeightLayout, PackedBytesNeverChange) {
  std::vector<uint8_t> matrix;
  glyd::testing::Random random(31);
  for (int i = 0; i < 70 * 9000; ++i) {
    const uint64_t bits = random.next();
    // Exponents whose frequencies are about those of weights: halved from one to the next below 120.
    const auto exponent = static_cast<uint64_t>(120 - std::countl_zero(bits | 1));
    append_le(matrix, static_cast<uint16_t>((bits & 0x807F) | exponent << 7));
  }
  const auto hash = [&](const PackOptions& options) {
    const auto packed = pack_weights(matrix, 70, 9000, options);
    uint64_t value = 0xCBF29CE484222325u;
    for (const uint8_t byte : packed->bytes) value = (value ^ byte) * 0x100000001B3u;
    return value;
  };
  EXPECT_EQ(hash({Layout::kFast}), 0xD15F9AD2F3A75F36u);
  EXPECT_EQ(hash({Layout::kDense}), 0x2B06AD51BBE4335Au);
  EXPECT_EQ(hash({Layout::kDense, 4, 64}), 0xB4B6780E4367D8F1u);
}

TEST(WeightLayout, PlacesAreTheWholeBlockOnce) {
  std::set<uint32_t> seen;
  for (uint32_t place = 0; place < kBlockWeights; ++place) {
    EXPECT_EQ(place_of(place_lane(place), place_weight(place)), place);
    EXPECT_LT(place_row(place), kStripRows);
    EXPECT_LT(place_column(place), kBlockColumns);
    seen.insert(place_row(place) * kBlockColumns + place_column(place));
  }
  EXPECT_EQ(seen.size(), kBlockWeights);
}

TEST(WeightLayout, BlockIndicesAreEveryNumberOnce) {
  PackedHeader header{};
  header.columns = 200;
  for (const uint32_t rows : {1u, 16u, 48u, 64u, 65u, 128u, 177u}) {
    header.rows = rows;
    std::set<uint32_t> seen;
    for (uint32_t strip = 0; strip < strip_count(header); ++strip) {
      for (uint32_t block = 0; block < strip_blocks(header); ++block) {
        seen.insert(block_index(header, strip, block));
        if (block == 0) continue;
        EXPECT_EQ(block_index(header, strip, block) - block_index(header, strip, block - 1),
                  band_strips(header, strip));
      }
    }
    EXPECT_EQ(seen.size(), block_count(header));
    EXPECT_EQ(*seen.rbegin() + 1, block_count(header));
  }
}

TEST(WeightLayout, ShiftIsABijection) {
  for (uint32_t weight = 0; weight < 65536; ++weight) {
    EXPECT_EQ(unshifted_weight(shifted_weight(static_cast<uint16_t>(weight))), weight);
    EXPECT_EQ(shifted_weight(unshifted_weight(static_cast<uint16_t>(weight))), weight);
  }
  EXPECT_EQ(shifted_weight(0x3F80), 0x4000);
  EXPECT_EQ(shifted_weight(0x8000), 0x8000);
  EXPECT_EQ(shifted_weight(0xFF81), 0xFF81);
  EXPECT_EQ(unshifted_pair(0x40008000), 0x3F808000u);
}

TEST(LaneDecode, BytePermute) {
  EXPECT_EQ(byte_permute(0x33221100, 0x77665544, 0x7531), 0x77553311u);
  EXPECT_EQ(byte_permute(0x33221100, 0x77665544, 0x5140), 0x55114400u);
  // Bit 3 of a nibble: copies of the byte's bit 7. Bits from 16 on do nothing.
  EXPECT_EQ(byte_permute(0x00008101, 0, 0x9180), 0xFF810001u);
  EXPECT_EQ(byte_permute(0x800000FF, 0x00000080, 0xFFFFDB84), 0x00FFFF80u);
}

TEST(LaneDecode, FunnelShift) {
  EXPECT_EQ(funnel_shift_right(0x80000001, 0x00000003, 1), 0xC0000000u);
  EXPECT_EQ(funnel_shift_right(0x12345678, 0x9ABCDEF0, 0), 0x12345678u);
  EXPECT_EQ(funnel_shift_right(0x12345678, 0x9ABCDEF0, 32 + 8), 0xF0123456u);
}

TEST(LaneDecode, EveryCodeInEveryNibble) {
  for (uint32_t code = 0; code < 8; ++code) {
    for (uint32_t weight = 0; weight < kLaneWeights; ++weight) {
      uint32_t words[3] = {};
      if (weight < 24) words[weight / 8] |= code << 4 * (weight % 8);
      for (uint32_t bit = 0; bit < 3 && weight >= 24; ++bit) {
        words[bit] |= (code >> bit & 1) << (4 * (weight - 24) + 3);
      }
      uint32_t high[8];
      expand_codes(words, code_bytes(50), high);
      for (uint32_t i = 0; i < kLaneWeights; ++i) {
        const uint32_t byte = high[i / 4] >> 8 * (i % 4) & 255;
        EXPECT_EQ(byte, i == weight ? (code >> 2) * 128 + 50 + (code & 3) : 50u);
      }
    }
  }
}

TEST(CodeTable, RefusesWhatIsNotACode) {
  CodeLengths lengths{};
  lengths[120] = 1;
  lengths[121] = 2;
  lengths[huffman::kEscape] = 2;
  const std::vector<uint16_t> table = make_code_table(lengths, 4);
  ASSERT_TRUE(read_code_table(table, 4).ok());
  EXPECT_EQ(*read_code_table(table, 4), lengths);
  for (size_t entry = 0; entry < table.size(); ++entry) {
    for (unsigned bit = 0; bit < 16; ++bit) {
      std::vector<uint16_t> changed = table;
      changed[entry] = static_cast<uint16_t>(changed[entry] ^ 1u << bit);
      EXPECT_FALSE(read_code_table(changed, 4).ok()) << entry << " " << bit;
    }
  }
  EXPECT_FALSE(read_code_table(std::vector<uint16_t>(16, kEntryEscape | 1), 4).ok());
}

TEST(CodeTable, PairsAreTwoEntries) {
  CodeLengths lengths{};
  for (size_t i = 0; i < 15; ++i) lengths[110 + i] = 4;
  lengths[huffman::kEscape] = 4;
  const std::vector<uint16_t> table = make_code_table(lengths, 4);
  const std::vector<uint32_t> pairs = make_pair_table(table, 4);
  ASSERT_EQ(pairs.size(), 256u);
  for (uint32_t index = 0; index < 256; ++index) {
    const uint32_t first = table[index & 15] & kEntryExponent;
    const uint32_t second = table[index >> 4] & kEntryExponent;
    EXPECT_EQ(pairs[index], 8 | first | second << 16);
  }
}

}  // namespace
}  // namespace glyd::weights

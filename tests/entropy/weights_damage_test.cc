#include <gtest/gtest.h>

#include "codec/entropy/weights/weight_packer.h"
#include "codec/entropy/weights/weight_unpacker.h"
#include "tests/entropy/weights_sample.h"
#include "tests/entropy/weights_warp_emulation.h"

// Packed matrices that are not what they should be: an error with an offset, or weights, and never more than that.
namespace glyd::weights::testing {
namespace {

struct Packed {
  SampleMatrix matrix;
  std::vector<uint8_t> bytes;
};

Packed packed_sample(Layout layout) {
  SampleMatrix matrix = layer_weights(70, 300, 0.3, 21);
  for (size_t i = 0; i < matrix.weights.size(); i += 50) matrix.weights[i] = static_cast<uint16_t>(i * 7919);
  auto packed = pack_weights(matrix.bytes(), matrix.rows, matrix.columns, {layout, 6, 64});
  EXPECT_TRUE(packed.ok());
  return {std::move(matrix), std::move(packed->bytes)};
}

// Decodes a copy of exactly that size, so that AddressSanitizer sees what lies beyond it.
Status unpack(const std::vector<uint8_t>& bytes, std::vector<uint8_t>* weights = nullptr) {
  const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  const auto unpacker = WeightUnpacker::open(exact);
  if (!unpacker.ok()) return unpacker.status();
  std::vector<uint8_t> output(unpacker->rows_size(unpacker->header().rows));
  // check_header() promises it: no header makes a small input ask for much.
  EXPECT_LE(output.size(), 2 * exact.size());
  const Status status = unpacker->unpack(output);
  EXPECT_EQ(status.code(), unpacker->check().code());
  if (weights != nullptr) *weights = std::move(output);
  return status;
}

constexpr Layout kLayouts[] = {Layout::kRaw, Layout::kFast, Layout::kDense};

template <typename T>
void add_at(std::vector<uint8_t>& bytes, uint64_t offset, T change) {
  store_le(bytes.data() + offset, static_cast<T>(load_le<T>(bytes.data() + offset) + change));
}

TEST(WeightDamage, EveryBitOfTheHeader) {
  for (const Layout layout : kLayouts) {
    const Packed packed = packed_sample(layout);
    for (size_t bit = 0; bit < sizeof(PackedHeader) * 8; ++bit) {
      std::vector<uint8_t> changed = packed.bytes;
      changed[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
      std::vector<uint8_t> weights;
      const Status status = unpack(changed, &weights);
      // The window's place is the one field of which every value makes sense, and the shift.
      const bool is_window = layout == Layout::kFast && bit / 8 >= 20 && bit / 8 < 28;
      // A raw matrix may have another shape of the same size, and so may rows within a strip, columns within a block.
      const bool is_shape = bit / 8 >= 12 && bit / 8 < 20;
      EXPECT_TRUE(!status.ok() || is_window || is_shape) << static_cast<int>(layout) << " bit " << bit;
      EXPECT_TRUE(status.ok() || status.has_offset()) << bit;
    }
  }
}

TEST(WeightDamage, EveryTruncation) {
  for (const Layout layout : kLayouts) {
    const Packed packed = packed_sample(layout);
    for (size_t size = 0; size < packed.bytes.size(); size += size < 2000 ? 1 : 61) {
      const std::vector<uint8_t> prefix(packed.bytes.begin(), packed.bytes.begin() + static_cast<ptrdiff_t>(size));
      EXPECT_EQ(unpack(prefix).code(), Code::kTruncated) << size;
    }
    std::vector<uint8_t> longer = packed.bytes;
    longer.push_back(0);
    EXPECT_EQ(unpack(longer).code(), Code::kTrailingData);
  }
}

TEST(WeightDamage, HeaderCodes) {
  const Packed packed = packed_sample(Layout::kFast);
  std::vector<uint8_t> changed = packed.bytes;
  add_at<uint32_t>(changed, 4, 1);
  EXPECT_EQ(unpack(changed).code(), Code::kUnsupportedVersion);
  changed = packed.bytes;
  add_at<uint32_t>(changed, 8, 2);
  EXPECT_EQ(unpack(changed).code(), Code::kUnsupportedFeature);
}

// Sizes that would overflow something, in a header that is otherwise right.
TEST(WeightDamage, EnormousSizes) {
  for (const Layout layout : kLayouts) {
    for (const uint32_t rows : {1u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
      for (const uint32_t columns : {1u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
        Packed packed = packed_sample(layout);
        PackedHeader header;
        std::memcpy(&header, packed.bytes.data(), sizeof header);
        header.rows = rows;
        header.columns = columns;
        place_sections(header);
        std::memcpy(packed.bytes.data(), &header, sizeof header);
        EXPECT_FALSE(unpack(packed.bytes).ok()) << rows << " x " << columns;
      }
    }
  }
}

// Each list, with its entries moved by one or made as large as they get.
TEST(WeightDamage, Lists) {
  for (const Layout layout : {Layout::kFast, Layout::kDense}) {
    const Packed packed = packed_sample(layout);
    const PackedHeader header = *check_header(packed.bytes);
    const uint64_t starts = layout == Layout::kFast ? block_count(header) : strip_count(header) * strip_entries(header);
    for (uint64_t i = 0; i <= starts; ++i) {
      for (const uint32_t change : {1u, ~0u, 0x80000000u}) {
        std::vector<uint8_t> changed = packed.bytes;
        add_at<uint32_t>(changed, header.patch_starts_offset + i * 4, change);
        std::vector<uint8_t> weights;
        const Status status = unpack(changed, &weights);
        // A patch may have gone to the block before or after; then the weights are others.
        EXPECT_FALSE(status.ok() && std::ranges::equal(weights, packed.matrix.bytes())) << i;
        EXPECT_FALSE(status.ok() && change == 0x80000000u) << i;
      }
    }
    if (layout == Layout::kFast) continue;
    for (uint64_t i = 0; i <= segment_count(header); ++i) {
      for (const uint32_t change : {1u, ~0u, 0x80000000u}) {
        std::vector<uint8_t> changed = packed.bytes;
        add_at<uint32_t>(changed, header.segment_starts_offset + i * 4, change);
        EXPECT_FALSE(unpack(changed).ok()) << i;
      }
    }
    for (uint64_t i = 0; i < strip_count(header) * strip_entries(header) * kLanes; ++i) {
      std::vector<uint8_t> changed = packed.bytes;
      add_at<uint16_t>(changed, header.entry_positions_offset + i * 2, 1);
      EXPECT_FALSE(unpack(changed).ok()) << i;
    }
  }
}

TEST(WeightDamage, PatchesOutOfOrder) {
  Packed fast = packed_sample(Layout::kFast);
  PackedHeader header = *check_header(fast.bytes);
  const uint16_t patch = load_le<uint16_t>(fast.bytes.data() + header.patches_offset);
  store_le(fast.bytes.data() + header.patches_offset + 2, patch);
  EXPECT_EQ(unpack(fast.bytes).code(), Code::kCorrupt);
  Packed dense = packed_sample(Layout::kDense);
  header = *check_header(dense.bytes);
  ASSERT_GE(header.patch_count, 2u);
  const uint32_t escape = load_le<uint32_t>(dense.bytes.data() + header.patches_offset);
  store_le(dense.bytes.data() + header.patches_offset, escape | 1u << 26);
  EXPECT_EQ(unpack(dense.bytes).code(), Code::kCorrupt);
  // A block that the entry does not have: entries are one block long here.
  store_le(dense.bytes.data() + header.patches_offset, escape | 1u << 10);
  EXPECT_EQ(unpack(dense.bytes).code(), Code::kCorrupt);
}

// Streams that take more bits than their segment has, in the last segment of the matrix: what is read beyond it stays
// inside the section, and is found to be wrong.
TEST(WeightDamage, StreamsLongerThanTheirSegment) {
  Packed packed = packed_sample(Layout::kDense);
  const PackedHeader header = *check_header(packed.bytes);
  const size_t words = header.word_rows * kLanes * 4;
  for (const uint8_t fill : {uint8_t{0x00}, uint8_t{0xFF}, uint8_t{0x55}}) {
    std::vector<uint8_t> changed = packed.bytes;
    std::fill_n(changed.begin() + static_cast<ptrdiff_t>(header.words_offset), words, fill);
    EXPECT_FALSE(unpack(changed).ok());
  }
}

TEST(WeightDamage, RandomBits) {
  glyd::testing::Random random(22);
  for (const Layout layout : kLayouts) {
    const Packed packed = packed_sample(layout);
    for (int round = 0; round < 3000; ++round) {
      std::vector<uint8_t> changed = packed.bytes;
      const uint64_t flips = 1 + random.below(4);
      for (uint64_t i = 0; i < flips; ++i) {
        // Half of them where the lists are, in the front.
        const uint64_t size = random.below(2) == 0 ? 4096 : changed.size();
        changed[random.below(size)] ^= static_cast<uint8_t>(1u << random.below(8));
      }
      std::vector<uint8_t> weights;
      const bool sound = unpack(changed, &weights).ok();
      // What the CPU accepts, a kernel decodes to the same.
      EXPECT_TRUE(!sound || layout == kRaw || emulate_all(DeviceMemory(changed)) == weights);
    }
  }
}

}  // namespace
}  // namespace glyd::weights::testing

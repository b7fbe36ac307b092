#pragma once

#include <stdint.h>

// The layout of a packed weight matrix: spec.md as plain old data. No standard library and no allocation, so that CUDA
// compiles this file as the host does. Functions named after a count or an index take sizes that a header has passed
// check_header() with (weight_unpacker.h), and do not check them again.
#ifdef __CUDACC__
#define GLYD_HOST_DEVICE __host__ __device__
#else
#define GLYD_HOST_DEVICE
#endif

namespace glyd::weights {

inline constexpr uint32_t kMagic = 0x57594C47;
inline constexpr uint32_t kVersion = 1;
inline constexpr uint32_t kSectionAlignment = 256;
inline constexpr uint64_t kMaxBlocks = uint64_t{1} << 31;

inline constexpr uint32_t kLanes = 32;
inline constexpr uint32_t kStripRows = 16;
inline constexpr uint32_t kBlockColumns = 64;
inline constexpr uint32_t kBlockWeights = kStripRows * kBlockColumns;
inline constexpr uint32_t kLaneWeights = kBlockWeights / kLanes;
// 32-bit registers of a lane's weights in a block, two weights each; four of them are one tile of 16 columns.
inline constexpr uint32_t kLaneRegisters = kLaneWeights / 2;
inline constexpr uint32_t kBlockTiles = kLaneRegisters / 4;
inline constexpr uint32_t kBandStrips = 4;

inline constexpr uint32_t kFastBlockBytes = kBlockWeights + 3 * kLanes * 4;
inline constexpr uint32_t kDenseBlockBytes = kBlockWeights;
// Values of the upper seven exponent bits in a window, and the highest start of one.
inline constexpr uint32_t kWindowValues = 4;
inline constexpr uint32_t kMaxWindowBase = 124;

inline constexpr uint32_t kMinCodeLimit = 4;
inline constexpr uint32_t kMaxCodeLimit = 8;
// Blocks after which the streams start anew, so that a bit position has 16 bits.
inline constexpr uint32_t kSegmentBlocks = 256;
inline constexpr uint32_t kMinEntryColumns = kBlockColumns;
inline constexpr uint32_t kMaxEntryColumns = kSegmentBlocks * kBlockColumns;

// What may be read beyond the last item: entries of the patch list, rows of code words. They are zero.
inline constexpr uint32_t kPatchTail = 64;
inline constexpr uint32_t kWordTailRows = 16;

enum Layout : uint32_t { kRaw = 0, kFast = 1, kDense = 2 };

struct PackedHeader {
  uint32_t magic;
  uint32_t version;
  uint32_t layout;  // a Layout, in bytes not yet checked any number
  uint32_t rows;
  uint32_t columns;
  uint32_t window_base;
  uint32_t exponent_shift;
  uint32_t code_limit;
  uint32_t entry_columns;
  uint32_t reserved0;
  uint64_t patch_count;
  uint64_t word_rows;
  uint64_t code_table_offset;
  uint64_t segment_starts_offset;
  uint64_t entry_positions_offset;
  uint64_t patch_starts_offset;
  uint64_t blocks_offset;
  uint64_t patches_offset;
  uint64_t words_offset;
  uint64_t total_bytes;
  uint64_t reserved1;
};
static_assert(sizeof(PackedHeader) == 128 && alignof(PackedHeader) == 8);
static_assert(__builtin_offsetof(PackedHeader, patch_count) == 40);
static_assert(__builtin_offsetof(PackedHeader, blocks_offset) == 88);
static_assert(__builtin_offsetof(PackedHeader, total_bytes) == 112);

GLYD_HOST_DEVICE constexpr uint32_t divide_up(uint32_t value, uint32_t divisor) {
  return value / divisor + (value % divisor != 0);
}

GLYD_HOST_DEVICE constexpr uint32_t strip_count(const PackedHeader& header) {
  return divide_up(header.rows, kStripRows);
}
GLYD_HOST_DEVICE constexpr uint32_t strip_blocks(const PackedHeader& header) {
  return divide_up(header.columns, kBlockColumns);
}
GLYD_HOST_DEVICE constexpr uint64_t block_count(const PackedHeader& header) {
  return uint64_t{strip_count(header)} * strip_blocks(header);
}
// A segment is as many whole strips as have up to 256 blocks together, or, of longer strips, 256 blocks of one.
GLYD_HOST_DEVICE constexpr uint32_t segment_strips(const PackedHeader& header) {
  return strip_blocks(header) < kSegmentBlocks ? kSegmentBlocks / strip_blocks(header) : 1;
}
GLYD_HOST_DEVICE constexpr uint32_t strip_segments(const PackedHeader& header) {
  return divide_up(strip_blocks(header), kSegmentBlocks);
}
GLYD_HOST_DEVICE constexpr uint32_t segment_count(const PackedHeader& header) {
  return divide_up(strip_count(header), segment_strips(header)) * strip_segments(header);
}
GLYD_HOST_DEVICE constexpr uint32_t segment_index(const PackedHeader& header, uint32_t strip, uint32_t column_block) {
  return strip / segment_strips(header) * strip_segments(header) + column_block / kSegmentBlocks;
}
// Entry points: precondition of both: layout is kDense.
GLYD_HOST_DEVICE constexpr uint32_t strip_entries(const PackedHeader& header) {
  return divide_up(header.columns, header.entry_columns);
}
GLYD_HOST_DEVICE constexpr uint32_t entry_blocks(const PackedHeader& header) {
  return header.entry_columns / kBlockColumns;
}

// The index of block `column_block` of strip `strip`; the next block of the same strip is band_strips() further on.
GLYD_HOST_DEVICE constexpr uint32_t band_strips(const PackedHeader& header, uint32_t strip) {
  const uint32_t left = strip_count(header) - strip / kBandStrips * kBandStrips;
  return left < kBandStrips ? left : kBandStrips;
}
GLYD_HOST_DEVICE constexpr uint32_t block_index(const PackedHeader& header, uint32_t strip, uint32_t column_block) {
  return strip / kBandStrips * kBandStrips * strip_blocks(header) + column_block * band_strips(header, strip) +
         strip % kBandStrips;
}

// Places, 0 to 1,023: where a weight's byte lies in a block's plane. A lane's 32 weights are 16 consecutive places of
// either half; weight i of the lane's order is at place_of(lane, i).
GLYD_HOST_DEVICE constexpr uint32_t place_of(uint32_t lane, uint32_t weight) {
  return weight / 16 * 512 + lane * 16 + weight % 16;
}
GLYD_HOST_DEVICE constexpr uint32_t place_lane(uint32_t place) {
  return place / 16 % kLanes;
}
GLYD_HOST_DEVICE constexpr uint32_t place_weight(uint32_t place) {
  return place / 512 * 16 + place % 16;
}
// Row in the strip and column in the block. Weights 2r and 2r + 1 of a lane are in register r: neighbours in one row.
GLYD_HOST_DEVICE constexpr uint32_t place_row(uint32_t place) {
  return place_lane(place) / 4 + place_weight(place) / 2 % 2 * 8;
}
GLYD_HOST_DEVICE constexpr uint32_t place_column(uint32_t place) {
  return place_weight(place) / 8 * 16 + place_lane(place) % 4 * 2 + place_weight(place) / 4 % 2 * 8 + place % 2;
}

// The stream of `dense` that a lane reads in a block. From block to block and from strip to strip it moves on, so that
// rows or columns with longer codes do not make some of the streams longer than the others.
inline constexpr uint32_t kStreamStep = 5;
GLYD_HOST_DEVICE constexpr uint32_t stream_of(uint32_t lane, uint32_t strip, uint32_t column_block) {
  return (lane + kStreamStep * (strip + column_block)) % kLanes;
}

// A patch of `fast`: changes bits 1 to 6 of a high byte.
GLYD_HOST_DEVICE constexpr uint32_t patch_place(uint32_t patch) {
  return patch & 1023;
}
GLYD_HOST_DEVICE constexpr uint32_t patch_change(uint32_t patch) {
  return patch >> 9 & 0x7E;
}
// An escape of `dense`.
GLYD_HOST_DEVICE constexpr uint32_t escape_place(uint32_t escape) {
  return escape & 1023;
}
GLYD_HOST_DEVICE constexpr uint32_t escape_block(uint32_t escape) {
  return escape >> 10 & 255;
}
GLYD_HOST_DEVICE constexpr uint32_t escape_exponent(uint32_t escape) {
  return escape >> 18 & 255;
}
inline constexpr uint32_t kMaxEscape = (1u << 26) - 1;

// The stored value of a weight when exponent_shift is 1, and back: exponents 1 to 254 are rotated by one, so that the
// stored value is the weight times two. Zeros, infinities and NaNs stay as they are.
GLYD_HOST_DEVICE constexpr uint16_t shifted_weight(uint16_t weight) {
  const uint32_t exponent = weight & 0x7F80u;
  const uint32_t moved = exponent == 0x7F00u ? 0x0080u : exponent + 0x0080u;
  const bool fixed = exponent == 0 || exponent == 0x7F80u;
  return static_cast<uint16_t>((weight & 0x807Fu) | (fixed ? exponent : moved));
}
GLYD_HOST_DEVICE constexpr uint16_t unshifted_weight(uint16_t stored) {
  const uint32_t exponent = stored & 0x7F80u;
  const uint32_t moved = exponent == 0x0080u ? 0x7F00u : exponent - 0x0080u;
  const bool fixed = exponent == 0 || exponent == 0x7F80u;
  return static_cast<uint16_t>((stored & 0x807Fu) | (fixed ? exponent : moved));
}

// Sets the offsets and total_bytes from the other fields. Preconditions: those have the ranges of spec.md.
GLYD_HOST_DEVICE constexpr void place_sections(PackedHeader& header) {
  uint64_t end = kSectionAlignment;
  const auto place = [&end](uint64_t& offset, bool present, uint64_t bytes) {
    offset = present ? end : 0;
    if (present) end += (bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
  };
  const bool fast = header.layout == kFast;
  const bool dense = header.layout == kDense;
  const uint64_t strips = strip_count(header);
  const uint64_t blocks = block_count(header);
  const uint64_t entries = dense ? strips * strip_entries(header) : 0;
  const uint64_t block_bytes = fast ? kFastBlockBytes : kDenseBlockBytes;
  const uint64_t raw_bytes = uint64_t{header.rows} * header.columns * 2;
  place(header.code_table_offset, dense, dense ? (uint64_t{1} << header.code_limit) * 2 : 0);
  place(header.segment_starts_offset, dense, (uint64_t{segment_count(header)} + 1) * 4);
  place(header.entry_positions_offset, dense, entries * kLanes * 2);
  place(header.patch_starts_offset, fast || dense, ((fast ? blocks : entries) + 1) * 4);
  place(header.blocks_offset, true, fast || dense ? blocks * block_bytes : raw_bytes);
  place(header.patches_offset, fast || dense, (header.patch_count + kPatchTail) * (fast ? 2 : 4));
  place(header.words_offset, dense, (header.word_rows + kWordTailRows) * kLanes * 4);
  header.total_bytes = end;
}

}  // namespace glyd::weights

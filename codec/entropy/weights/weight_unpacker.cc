#include "codec/entropy/weights/weight_unpacker.h"

#include <cstddef>

#include "codec/entropy/weights/code_table.h"
#include "codec/entropy/weights/lane_decode.h"

namespace glyd::weights {
namespace {

// Bits that one lane's weights of a block can take.
constexpr uint32_t kMaxBlockBits = kLaneWeights * kMaxCodeLimit;
// What decode_lane() may read beyond a segment whose streams were inside it before the block.
static_assert(kMaxBlockBits / 32 + 2 < kWordTailRows);

bool is_in(uint32_t value, uint32_t low, uint32_t high) {
  return value >= low && value <= high;
}

// Fields that say how the weights are coded, on their own.
Status check_fields(const PackedHeader& header) {
  const auto corrupt = [](const char* detail, size_t offset) { return Status(Code::kCorrupt, detail, offset); };
  const bool fast = header.layout == kFast;
  const bool dense = header.layout == kDense;
  if (header.rows == 0) return corrupt("rows of packed weights", offsetof(PackedHeader, rows));
  if (header.columns == 0) return corrupt("columns of packed weights", offsetof(PackedHeader, columns));
  if (block_count(header) > kMaxBlocks) return corrupt("size of packed weights", offsetof(PackedHeader, rows));
  if (header.window_base > (fast ? kMaxWindowBase : 0)) {
    return corrupt("exponent window", offsetof(PackedHeader, window_base));
  }
  if (header.exponent_shift > (fast ? 1u : 0u)) {
    return corrupt("exponent shift", offsetof(PackedHeader, exponent_shift));
  }
  if (dense ? !is_in(header.code_limit, kMinCodeLimit, kMaxCodeLimit) : header.code_limit != 0) {
    return corrupt("code limit", offsetof(PackedHeader, code_limit));
  }
  const bool is_stride =
      is_in(header.entry_columns, kMinEntryColumns, kMaxEntryColumns) && std::has_single_bit(header.entry_columns);
  if (dense ? !is_stride : header.entry_columns != 0) {
    return corrupt("columns of an entry point", offsetof(PackedHeader, entry_columns));
  }
  if (header.reserved0 != 0) return corrupt("reserved field", offsetof(PackedHeader, reserved0));
  if (header.reserved1 != 0) return corrupt("reserved field", offsetof(PackedHeader, reserved1));
  if (header.patch_count >> 32 != 0 || (header.layout == kRaw && header.patch_count != 0)) {
    return corrupt("number of patches", offsetof(PackedHeader, patch_count));
  }
  if (header.word_rows >> 32 != 0 || (!dense && header.word_rows != 0)) {
    return corrupt("rows of code words", offsetof(PackedHeader, word_rows));
  }
  return {};
}

// The bytes of a lane's eight codes, a nibble each, to eight high bytes.
uint64_t high_bytes(uint32_t nibbles, uint64_t base) {
  uint64_t codes = nibbles;
  codes = (codes | codes << 16) & 0x0000FFFF0000FFFFu;
  codes = (codes | codes << 8) & 0x00FF00FF00FF00FFu;
  codes = (codes | codes << 4) & 0x0707070707070707u;
  return base + (codes & 0x0303030303030303u) + ((codes & 0x0404040404040404u) << 5);
}

// The high plane of a block from its code words, unpatched.
void expand_block_codes(const uint8_t* code_words, uint32_t window_base, uint8_t* high_plane) {
  const uint64_t base = window_base * 0x0101010101010101u;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    std::array<uint32_t, 4> words{};
    for (uint32_t i = 0; i < 3; ++i) {
      words[i] = load_le<uint32_t>(code_words + (i * kLanes + lane) * 4);
      words[3] |= (words[i] >> 3 & 0x11111111u) << i;
    }
    for (uint32_t i = 0; i < 4; ++i) store_le(high_plane + place_of(lane, 8 * i), high_bytes(words[i], base));
  }
}

void join_planes(const uint8_t* low, const uint8_t* high, Block& block) {
  for (uint32_t place = 0; place < kBlockWeights; ++place) {
    block[place] = static_cast<uint16_t>(low[place] | high[place] << 8);
  }
}

// One segment's streams on a CPU: what LaneBits and decode_tile() of lane_decode.h do, without byte permutes, which are
// slow here, and from bytes without alignment.
class StreamDecoder {
 public:
  StreamDecoder(const uint8_t* words, uint32_t rows, const std::vector<uint32_t>& pair_table)
      : words_(words), rows_(rows), pair_table_(pair_table.data()), index_mask_(pair_table.size() - 1) {}

  std::array<uint32_t, kLanes>& positions() { return positions_; }
  uint32_t rows() const { return rows_; }
  // Rows that the longest stream reached into.
  uint32_t reached() const { return divide_up(*std::ranges::max_element(positions_), 32); }

  // `bytes`: a block's sign and mantissa bytes. Reads up to kMaxBlockBits / 32 + 2 rows beyond where the longest stream
  // stands.
  void decode(uint32_t strip, uint32_t column_block, const uint8_t* bytes, Block& block) {
    // Lanes in the inner loop: lookups of one stream wait for each other, those of different ones do not.
    for (uint32_t weight = 0; weight < kLaneWeights; weight += 8) {
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        const uint32_t place = place_of(lane, weight);
        decode_tile(stream_of(lane, strip, column_block), bytes + place, block.data() + place);
      }
    }
  }

 private:
  void decode_tile(uint32_t stream, const uint8_t* bytes, uint16_t* weights) {
    uint32_t position = positions_[stream];
    const uint8_t* next = words_ + (size_t{position} / 32 * kLanes + stream) * 4;
    const uint64_t middle = load_le<uint32_t>(next + kLanes * 4);
    const uint64_t low = middle << 32 | load_le<uint32_t>(next);
    const uint64_t high = middle | uint64_t{load_le<uint32_t>(next + 2 * kLanes * 4)} << 32;
    uint64_t window = (low >> position % 32 & 0xFFFFFFFFu) | high >> position % 32 << 32;
    for (uint32_t pair = 0; pair < 4; ++pair) {
      const uint32_t entry = pair_table_[window & index_mask_];
      const uint32_t length = entry & 31;
      window >>= length;
      position += length;
      const uint32_t spread = bytes[2 * pair] | uint32_t{bytes[2 * pair + 1]} << 16;
      const uint32_t joined = (spread & 0x00800080u) << 8 | (spread & 0x007F007Fu) | (entry & 0x7F807F80u);
      std::memcpy(weights + 2 * pair, &joined, sizeof joined);
    }
    positions_[stream] = position;
  }

  const uint8_t* words_;
  uint32_t rows_;
  const uint32_t* pair_table_;
  uint64_t index_mask_;
  std::array<uint32_t, kLanes> positions_{};
};

}  // namespace

Result<PackedHeader> check_header(Bytes packed) {
  PackedHeader header;
  if (packed.size() < sizeof header) return Status(Code::kTruncated, "header of packed weights", packed.size());
  std::memcpy(&header, packed.data(), sizeof header);
  if (header.magic != kMagic) return Status(Code::kCorrupt, "no packed weights", 0);
  if (header.version != kVersion) {
    return Status(Code::kUnsupportedVersion, "version of packed weights", offsetof(PackedHeader, version));
  }
  if (header.layout > kDense) {
    return Status(Code::kUnsupportedFeature, "layout of packed weights", offsetof(PackedHeader, layout));
  }
  if (const Status status = check_fields(header); !status.ok()) return status;
  PackedHeader placed = header;
  place_sections(placed);
  // From code_table_offset on there are only fields that place_sections() computes.
  constexpr size_t kPlaced = offsetof(PackedHeader, code_table_offset);
  const auto* expected = reinterpret_cast<const uint8_t*>(&placed);
  for (size_t i = kPlaced; i < sizeof header; ++i) {
    if (packed[i] != expected[i]) return Status(Code::kCorrupt, "section of packed weights", i / 8 * 8);
  }
  if (packed.size() < header.total_bytes) return Status(Code::kTruncated, "packed weights", packed.size());
  if (packed.size() > header.total_bytes) {
    return Status(Code::kTrailingData, "after packed weights", header.total_bytes);
  }
  return header;
}

Result<WeightUnpacker> WeightUnpacker::open(Bytes packed) {
  const Result<PackedHeader> header = check_header(packed);
  if (!header.ok()) return header.status();
  WeightUnpacker unpacker(packed, *header);
  Status status;
  if (header->layout == kFast) {
    status = unpacker.check_starts(header->patch_starts_offset, block_count(*header), header->patch_count);
  } else if (header->layout == kDense) {
    status = unpacker.load_code_table();
  }
  if (!status.ok()) return status;
  return unpacker;
}

Status WeightUnpacker::load_code_table() {
  std::vector<uint16_t> table(size_t{1} << header_.code_limit);
  for (size_t i = 0; i < table.size(); ++i) table[i] = load<uint16_t>(header_.code_table_offset, i);
  const auto lengths = read_code_table(table, header_.code_limit);
  if (!lengths.ok()) return lengths.status().at(header_.code_table_offset);
  pair_table_ = make_pair_table(table, header_.code_limit);
  const Status status = check_starts(header_.segment_starts_offset, segment_count(header_), header_.word_rows);
  if (!status.ok()) return status;
  const uint64_t entries = uint64_t{strip_count(header_)} * strip_entries(header_);
  return check_starts(header_.patch_starts_offset, entries, header_.patch_count);
}

Status WeightUnpacker::check_starts(uint64_t section, uint64_t last, uint64_t total) const {
  if (load<uint32_t>(section, 0) != 0) return {Code::kCorrupt, "start of a list", section};
  if (load<uint32_t>(section, last) != total) return {Code::kCorrupt, "end of a list", section + last * 4};
  return {};
}

Result<WeightUnpacker::Range> WeightUnpacker::patch_range(uint64_t index) const {
  const Range range{load<uint32_t>(header_.patch_starts_offset, index),
                    load<uint32_t>(header_.patch_starts_offset, index + 1)};
  if (range.begin > range.end || range.end > header_.patch_count) {
    return Status(Code::kCorrupt, "list of patches", header_.patch_starts_offset + index * 4);
  }
  return range;
}

Status WeightUnpacker::patch_fast_block(uint64_t index, uint8_t* high_plane) const {
  const auto range = patch_range(index);
  if (!range.ok()) return range.status();
  uint32_t least = 0;
  for (uint64_t i = range->begin; i < range->end; ++i) {
    const uint32_t patch = load<uint16_t>(header_.patches_offset, i);
    if (patch_place(patch) < least) return {Code::kCorrupt, "order of patches", header_.patches_offset + i * 2};
    least = patch_place(patch) + 1;
    apply_patch(high_plane, patch);
  }
  return {};
}

template <typename Keep>
Status WeightUnpacker::decode_fast_strip(uint32_t strip, const Keep& keep) const {
  std::array<uint8_t, kBlockWeights> high_plane;
  Block block;
  for (uint32_t column_block = 0; column_block < strip_blocks(header_); ++column_block) {
    const uint64_t index = block_index(header_, strip, column_block);
    const uint8_t* bytes = packed_.data() + header_.blocks_offset + index * kFastBlockBytes;
    expand_block_codes(bytes + kBlockWeights, header_.window_base, high_plane.data());
    if (const Status status = patch_fast_block(index, high_plane.data()); !status.ok()) return status;
    join_planes(bytes, high_plane.data(), block);
    if (header_.exponent_shift != 0) {
      for (uint16_t& weight : block) weight = unshifted_weight(weight);
    }
    keep(column_block, block);
  }
  return {};
}

Status WeightUnpacker::check_entry(uint64_t entry, const std::array<uint32_t, kLanes>& positions) const {
  for (uint32_t stream = 0; stream < kLanes; ++stream) {
    const uint64_t index = entry * kLanes + stream;
    if (load<uint16_t>(header_.entry_positions_offset, index) != positions[stream]) {
      return {Code::kCorrupt, "entry point", header_.entry_positions_offset + index * 2};
    }
  }
  return {};
}

Status WeightUnpacker::begin_escapes(uint64_t entry, EscapeCursor& escapes) const {
  if (escapes.next != escapes.end) {
    return {Code::kCorrupt, "escape outside its entry", header_.patches_offset + escapes.next * 4};
  }
  const auto range = patch_range(entry);
  if (!range.ok()) return range.status();
  escapes = {range->begin, range->end, 0};
  return {};
}

Status WeightUnpacker::apply_escapes(uint32_t block_in_entry, EscapeCursor& cursor, Block& block) const {
  for (; cursor.next < cursor.end; ++cursor.next) {
    const uint32_t escape = load<uint32_t>(header_.patches_offset, cursor.next);
    // Block and place together ascend, so what is below the least that may come is out of order.
    const uint32_t order = escape_block(escape) * kBlockWeights + escape_place(escape);
    if (order < cursor.least || escape > kMaxEscape || escape_block(escape) >= entry_blocks(header_)) {
      return {Code::kCorrupt, "order of escapes", header_.patches_offset + cursor.next * 4};
    }
    if (escape_block(escape) > block_in_entry) return {};
    cursor.least = order + 1;
    uint16_t& weight = block[escape_place(escape)];
    weight = static_cast<uint16_t>(weight ^ escape_exponent(escape) << 7);
  }
  return {};
}

template <typename Keep>
Status WeightUnpacker::decode_dense_part(uint32_t strip, uint32_t first_block, const Keep& keep) const {
  const uint64_t segment = segment_index(header_, strip, first_block);
  const uint32_t row = load<uint32_t>(header_.segment_starts_offset, segment);
  const uint32_t end_row = load<uint32_t>(header_.segment_starts_offset, segment + 1);
  const Status bad_segment(Code::kCorrupt, "rows of a segment", header_.segment_starts_offset + segment * 4);
  if (row > end_row || end_row > header_.word_rows) return bad_segment;
  StreamDecoder streams(packed_.data() + header_.words_offset + uint64_t{row} * kLanes * 4, end_row - row, pair_table_);
  const uint64_t strip_entry = uint64_t{strip} * strip_entries(header_);
  // In the middle of a segment the entry point is believed: whoever decodes the strip before compares it.
  const bool is_first = strip % segment_strips(header_) == 0;
  for (uint32_t i = 0; i < kLanes && !is_first; ++i) {
    streams.positions()[i] = load<uint16_t>(header_.entry_positions_offset, strip_entry * kLanes + i);
  }
  if (streams.reached() > streams.rows()) return bad_segment;
  EscapeCursor escapes;
  Block block;
  const uint32_t end_block = std::min(first_block + kSegmentBlocks, strip_blocks(header_));
  for (uint32_t column_block = first_block; column_block < end_block; ++column_block) {
    const uint32_t block_in_entry = column_block % entry_blocks(header_);
    if (block_in_entry == 0) {
      const uint64_t entry = strip_entry + column_block / entry_blocks(header_);
      if (const Status status = check_entry(entry, streams.positions()); !status.ok()) return status;
      if (const Status status = begin_escapes(entry, escapes); !status.ok()) return status;
    }
    const uint64_t index = block_index(header_, strip, column_block);
    streams.decode(strip, column_block, packed_.data() + header_.blocks_offset + index * kDenseBlockBytes, block);
    if (streams.reached() > streams.rows()) return bad_segment;
    if (const Status status = apply_escapes(block_in_entry, escapes, block); !status.ok()) return status;
    keep(column_block, block);
  }
  // Escapes of blocks that the last entry does not have.
  if (escapes.next != escapes.end) {
    return {Code::kCorrupt, "escape outside the matrix", header_.patches_offset + escapes.next * 4};
  }
  const bool is_last = (strip + 1) % segment_strips(header_) == 0 || strip + 1 == strip_count(header_);
  if (!is_last) return check_entry(strip_entry + strip_entries(header_), streams.positions());
  return streams.reached() == streams.rows() ? Status() : bad_segment;
}

// The decoder of one strip of whichever layout.
template <typename Keep>
Status WeightUnpacker::decode_strip(uint32_t strip, const Keep& keep) const {
  if (header_.layout == kFast) return decode_fast_strip(strip, keep);
  for (uint32_t first = 0; first < strip_blocks(header_); first += kSegmentBlocks) {
    if (const Status status = decode_dense_part(strip, first, keep); !status.ok()) return status;
  }
  return {};
}

Status WeightUnpacker::unpack_rows(uint64_t first_row, uint64_t rows, MutableBytes output) const {
  const uint64_t all_rows = header_.rows;
  if (first_row > all_rows || rows > all_rows - first_row || output.size() != rows_size(rows)) {
    return {Code::kInvalidArgument, "rows of packed weights"};
  }
  if (first_row % kStripRows != 0 || (rows % kStripRows != 0 && first_row + rows != all_rows)) {
    return {Code::kInvalidArgument, "part of a strip"};
  }
  if (header_.layout == kRaw) {
    const uint8_t* start = packed_.data() + header_.blocks_offset + rows_size(first_row);
    std::copy_n(start, output.size(), output.begin());
    return {};
  }
  const uint32_t strip_end = divide_up(static_cast<uint32_t>(first_row + rows), kStripRows);
  for (uint32_t strip = static_cast<uint32_t>(first_row / kStripRows); strip < strip_end; ++strip) {
    const Status status = decode_strip(strip, [&](uint32_t column_block, const Block& block) {
      BlockFrame frame = block_frame(all_rows, header_.columns, strip, column_block);
      frame.offset -= static_cast<size_t>(rows_size(first_row));
      scatter_block(block, frame, output);
    });
    if (!status.ok()) return status;
  }
  return {};
}

Status WeightUnpacker::check() const {
  if (header_.layout == kRaw) return {};
  for (uint32_t strip = 0; strip < strip_count(header_); ++strip) {
    if (const Status status = decode_strip(strip, [](uint32_t, const Block&) {}); !status.ok()) return status;
  }
  return {};
}

}  // namespace glyd::weights

#include "tests/entropy/weights_warp_emulation.h"

#include "codec/entropy/weights/lane_decode.h"

namespace glyd::weights::testing {
namespace {

// The registers of all lanes for one block.
using WarpRegisters = std::array<std::array<uint32_t, kLaneRegisters>, kLanes>;

template <typename T>
const T* section(const DeviceMemory& memory, uint64_t offset) {
  return reinterpret_cast<const T*>(memory.at(offset));
}

// Operand A of mma.m16n8k16: with g = lane / 4 and q = lane % 4, registers 0 to 3 are (row g, columns 2q, 2q + 1),
// (row g + 8, same columns), (row g, columns 2q + 8, 2q + 9), (row g + 8, those columns).
void store_registers(const WarpRegisters& registers, uint32_t block, uint32_t blocks, std::vector<uint16_t>& rows) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t g = lane / 4;
    const uint32_t q = lane % 4;
    for (uint32_t tile = 0; tile < 4; ++tile) {
      const uint32_t row_of[4] = {g, g + 8, g, g + 8};
      const uint32_t column_of[4] = {2 * q, 2 * q, 2 * q + 8, 2 * q + 8};
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t pair = registers[lane][4 * tile + i];
        const size_t at = size_t{row_of[i]} * blocks * 64 + block * 64 + tile * 16 + column_of[i];
        rows[at] = static_cast<uint16_t>(pair);
        rows[at + 1] = static_cast<uint16_t>(pair >> 16);
      }
    }
  }
}

void fast_block(const DeviceMemory& memory, uint32_t index, WarpRegisters& registers) {
  const PackedHeader& header = memory.header();
  const uint8_t* block = memory.at(header.blocks_offset + uint64_t{index} * kFastBlockBytes);
  const auto* code_words = reinterpret_cast<const uint32_t*>(block + kBlockWeights);
  const auto* starts = section<uint32_t>(memory, header.patch_starts_offset);
  const uint16_t* patches = section<uint16_t>(memory, header.patches_offset) + starts[index];
  const uint32_t count = starts[index + 1] - starts[index];
  const CodeBytes table = code_bytes(header.window_base);
  alignas(16) uint8_t high_plane[kBlockWeights];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t codes[3] = {code_words[lane], code_words[32 + lane], code_words[64 + lane]};
    uint32_t high[8];
    expand_codes(codes, table, high);
    store_lane_bytes(high_plane, lane, high);
  }
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    // The first is read whether it is there or not, as a kernel does that asks for it ahead.
    const uint32_t first = patches[lane];
    if (lane < count) apply_patch(high_plane, first);
    for (uint32_t i = lane + kLanes; i < count; i += kLanes) apply_patch(high_plane, patches[i]);
  }
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    uint32_t low[8];
    uint32_t high[8];
    load_lane_bytes(block, lane, low);
    load_lane_bytes(high_plane, lane, high);
    merge_bytes(low, high, registers[lane].data());
    if (header.exponent_shift == 0) continue;
    for (uint32_t& pair : registers[lane]) pair = unshifted_pair(pair);
  }
}

// A warp in a strip of `dense`, standing at a block.
class DenseWarp {
 public:
  DenseWarp(const DeviceMemory& memory, uint32_t strip, uint32_t first_block) : memory_(memory), strip_(strip) {
    const PackedHeader& header = memory.header();
    const auto* code_table = section<uint16_t>(memory, header.code_table_offset);
    pair_table_.resize(size_t{1} << 2 * header.code_limit);
    for (uint32_t i = 0; i < pair_table_.size(); ++i) pair_table_[i] = pair_entry(code_table, header.code_limit, i);
    begin_entry(first_block);
  }

  void begin_entry(uint32_t column_block) {
    const PackedHeader& header = memory_.header();
    const uint32_t entry = strip_ * strip_entries(header) + column_block / entry_blocks(header);
    const uint32_t segment = segment_index(header, strip_, column_block);
    const auto* starts = section<uint32_t>(memory_, header.segment_starts_offset);
    const auto* words = section<uint32_t>(memory_, header.words_offset) + uint64_t{starts[segment]} * kLanes;
    const auto* positions = section<uint16_t>(memory_, header.entry_positions_offset) + uint64_t{entry} * kLanes;
    words_ = words;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const uint32_t stream = stream_of(lane, strip_, column_block);
      lanes_[lane] = {words + stream, positions[stream]};
    }
    const auto* patch_starts = section<uint32_t>(memory_, header.patch_starts_offset);
    escapes_ = section<uint32_t>(memory_, header.patches_offset) + patch_starts[entry];
    escapes_end_ = section<uint32_t>(memory_, header.patches_offset) + patch_starts[entry + 1];
  }

  void decode(uint32_t column_block, WarpRegisters& registers) {
    const PackedHeader& header = memory_.header();
    const uint64_t index = block_index(header, strip_, column_block);
    const uint8_t* block = memory_.at(header.blocks_offset + index * kDenseBlockBytes);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      uint32_t bytes[8];
      load_lane_bytes(block, lane, bytes);
      const uint32_t mask = static_cast<uint32_t>(pair_table_.size() - 1);
      decode_lane(lanes_[lane], pair_table_.data(), mask, bytes, registers[lane].data());
    }
    rotate(column_block + 1);
    const uint32_t block_in_entry = column_block % entry_blocks(header);
    for (; escapes_ < escapes_end_ && escape_block(*escapes_) == block_in_entry; ++escapes_) {
      for (uint32_t lane = 0; lane < kLanes; ++lane) apply_escape(*escapes_, lane, registers[lane].data());
    }
  }

 private:
  // A shuffle from the lane whose stream is the next one.
  void rotate(uint32_t next_block) {
    const std::array<LaneBits, kLanes> before = lanes_;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      lanes_[lane] = {words_ + stream_of(lane, strip_, next_block), before[(lane + kStreamStep) % kLanes].position};
    }
  }

  const DeviceMemory& memory_;
  uint32_t strip_;
  const uint32_t* words_ = nullptr;
  std::vector<uint32_t> pair_table_;
  std::array<LaneBits, kLanes> lanes_{};
  const uint32_t* escapes_ = nullptr;
  const uint32_t* escapes_end_ = nullptr;
};

}  // namespace

DeviceMemory::DeviceMemory(Bytes packed) : storage_(packed.size() + kSectionAlignment) {
  const auto address = reinterpret_cast<uintptr_t>(storage_.data());
  uint8_t* start = storage_.data() + (kSectionAlignment - address % kSectionAlignment) % kSectionAlignment;
  std::ranges::copy(packed, start);
  std::memcpy(&header_, start, sizeof header_);
  start_ = start;
}

std::vector<uint32_t> entry_points(const PackedHeader& header) {
  const uint32_t step = header.layout == kDense ? entry_blocks(header) : 1;
  std::vector<uint32_t> points;
  for (uint32_t block = 0; block < strip_blocks(header); block += step) points.push_back(block);
  return points;
}

std::vector<uint16_t> emulate_warp(const DeviceMemory& memory, uint32_t strip, uint32_t first_block, uint32_t blocks) {
  std::vector<uint16_t> rows(size_t{kStripRows} * blocks * kBlockColumns);
  WarpRegisters registers{};
  if (memory.header().layout == kFast) {
    for (uint32_t block = 0; block < blocks; ++block) {
      fast_block(memory, block_index(memory.header(), strip, first_block + block), registers);
      store_registers(registers, block, blocks, rows);
    }
    return rows;
  }
  DenseWarp warp(memory, strip, first_block);
  for (uint32_t block = 0; block < blocks; ++block) {
    const uint32_t column_block = first_block + block;
    // A warp that goes on past an entry point needs only its escapes, but past the end of a segment its positions too.
    if (block > 0 && column_block % entry_blocks(memory.header()) == 0) warp.begin_entry(column_block);
    warp.decode(column_block, registers);
    store_registers(registers, block, blocks, rows);
  }
  return rows;
}

std::vector<uint8_t> emulate_all(const DeviceMemory& memory) {
  const PackedHeader& header = memory.header();
  std::vector<uint8_t> matrix(size_t{header.rows} * header.columns * 2);
  std::vector<uint32_t> points = entry_points(header);
  points.push_back(strip_blocks(header));
  for (uint32_t strip = 0; strip < strip_count(header); ++strip) {
    for (size_t i = 0; i + 1 < points.size(); ++i) {
      const uint32_t blocks = points[i + 1] - points[i];
      const std::vector<uint16_t> rows = emulate_warp(memory, strip, points[i], blocks);
      const size_t column = size_t{points[i]} * kBlockColumns;
      const size_t columns = std::min<size_t>(size_t{blocks} * kBlockColumns, header.columns - column);
      for (size_t row = 0; row < kStripRows && strip * kStripRows + row < header.rows; ++row) {
        const size_t at = ((strip * size_t{kStripRows} + row) * header.columns + column) * 2;
        std::memcpy(matrix.data() + at, rows.data() + row * blocks * kBlockColumns, columns * 2);
      }
    }
  }
  return matrix;
}

}  // namespace glyd::weights::testing

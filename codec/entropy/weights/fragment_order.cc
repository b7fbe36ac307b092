#include "codec/entropy/weights/fragment_order.h"

namespace glyd::weights {
namespace {

constexpr size_t kRowBytes = kBlockColumns * 2;
using Tile = std::array<uint8_t, kStripRows * kRowBytes>;

// Calls copy(place, byte offset in the rows, bytes) for all runs of places whose weights are neighbours in a row: pairs,
// of which the four lanes of a row have eight weights side by side.
template <typename Copy>
inline void for_each_pair(size_t stride, const Copy& copy) {
  for (uint32_t group = 0; group < kLanes / 4; ++group) {
    for (uint32_t weight = 0; weight < kLaneWeights; weight += 2) {
      const uint32_t place = place_of(4 * group, weight);
      const size_t at = place_row(place) * stride + place_column(place) * 2;
      copy(place, at);
      copy(place + 16, at + 4);
      copy(place + 32, at + 8);
      copy(place + 48, at + 12);
    }
  }
}

void gather_whole(const uint8_t* rows, size_t stride, Block& block) {
  for_each_pair(stride, [&](uint32_t place, size_t at) { std::memcpy(&block[place], rows + at, 4); });
}

void scatter_whole(const Block& block, size_t stride, uint8_t* rows) {
  for_each_pair(stride, [&](uint32_t place, size_t at) { std::memcpy(rows + at, &block[place], 4); });
}

bool is_whole(const BlockFrame& frame) {
  return frame.rows == kStripRows && frame.columns == kBlockColumns;
}

}  // namespace

BlockFrame block_frame(uint64_t rows, uint64_t columns, uint32_t strip, uint32_t column_block) {
  const uint64_t row = uint64_t{strip} * kStripRows;
  const uint64_t column = uint64_t{column_block} * kBlockColumns;
  BlockFrame frame;
  frame.stride = static_cast<size_t>(columns * 2);
  frame.offset = static_cast<size_t>(row * columns * 2 + column * 2);
  frame.rows = static_cast<uint32_t>(std::min<uint64_t>(rows - row, kStripRows));
  frame.columns = static_cast<uint32_t>(std::min<uint64_t>(columns - column, kBlockColumns));
  return frame;
}

void gather_block(Bytes matrix, const BlockFrame& frame, uint16_t padding, Block& block) {
  if (is_whole(frame)) return gather_whole(matrix.data() + frame.offset, frame.stride, block);
  Tile tile;
  for (size_t i = 0; i < tile.size(); i += 2) store_le(tile.data() + i, padding);
  for (size_t row = 0; row < frame.rows; ++row) {
    std::memcpy(tile.data() + row * kRowBytes, matrix.data() + frame.offset + row * frame.stride, frame.columns * 2u);
  }
  gather_whole(tile.data(), kRowBytes, block);
}

void scatter_block(const Block& block, const BlockFrame& frame, MutableBytes matrix) {
  if (is_whole(frame)) return scatter_whole(block, frame.stride, matrix.data() + frame.offset);
  Tile tile;
  scatter_whole(block, kRowBytes, tile.data());
  for (size_t row = 0; row < frame.rows; ++row) {
    std::memcpy(matrix.data() + frame.offset + row * frame.stride, tile.data() + row * kRowBytes, frame.columns * 2u);
  }
}

}  // namespace glyd::weights

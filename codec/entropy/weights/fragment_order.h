#pragma once

#include <array>

#include "codec/base/bytes.h"
#include "codec/entropy/weights/block_layout.h"

// A block's weights between the rows of a matrix and the order of their places.
namespace glyd::weights {

// The weights of a block by place.
using Block = std::array<uint16_t, kBlockWeights>;

// A block of a row-major matrix: where its first weight is, and what part of the 16 x 64 belongs to the matrix.
struct BlockFrame {
  size_t offset = 0;  // in bytes
  size_t stride = 0;  // bytes from a row to the next
  uint32_t rows = kStripRows;
  uint32_t columns = kBlockColumns;
};

// The frame of a block in a matrix of `rows` x `columns` weights.
BlockFrame block_frame(uint64_t rows, uint64_t columns, uint32_t strip, uint32_t column_block);

// Reads the block at `frame`; weights outside the matrix become `padding`. Precondition: the frame lies in `matrix`.
void gather_block(Bytes matrix, const BlockFrame& frame, uint16_t padding, Block& block);
// Writes the block to `frame`, but nothing outside it. Precondition: as above.
void scatter_block(const Block& block, const BlockFrame& frame, MutableBytes matrix);

}  // namespace glyd::weights

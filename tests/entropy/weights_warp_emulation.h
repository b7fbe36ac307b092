#pragma once

#include <vector>

#include "codec/base/bytes.h"
#include "codec/entropy/weights/block_layout.h"

// A warp on the host: 32 lanes, phase after phase, that run the functions of lane_decode.h as a kernel does.
namespace glyd::weights::testing {

// A packed matrix at an address that has the alignment of VRAM.
class DeviceMemory {
 public:
  explicit DeviceMemory(Bytes packed);
  const PackedHeader& header() const { return header_; }
  const uint8_t* at(uint64_t offset) const { return start_ + offset; }

 private:
  std::vector<uint8_t> storage_;
  const uint8_t* start_;
  PackedHeader header_;
};

// The first column block of each place at which a warp can start in a strip.
std::vector<uint32_t> entry_points(const PackedHeader& header);

// Decodes `blocks` blocks of a strip from `first_block` on, as 16 rows of 64 * blocks weights. Where a register's
// weights go is stated here again, after the tensor core's definition of operand A and not with place_row().
// Preconditions: the packed matrix is sound; the layout is kFast or kDense; first_block is one of entry_points().
std::vector<uint16_t> emulate_warp(const DeviceMemory& memory, uint32_t strip, uint32_t first_block, uint32_t blocks);

// The whole matrix, each strip from each of its entry points to the next one, row-major.
std::vector<uint8_t> emulate_all(const DeviceMemory& memory);

}  // namespace glyd::weights::testing

// Kernels that call everything in lane_decode.h as a product would: compiled for the device by
// weights_cuda_compile_test.py, which finds out that the headers need nothing of the host, and run by nobody yet.
#include "codec/entropy/weights/lane_decode.h"

namespace glyd::weights {

// A warp for each strip: decodes it and writes its registers, 16 words a lane and block.
__global__ void decode_fast_strips(PackedHeader header, const uint8_t* packed, uint32_t* registers_out) {
  __shared__ __align__(16) uint8_t high_plane[kBlockWeights];
  const uint32_t lane = threadIdx.x;
  const uint32_t strip = blockIdx.x;
  const CodeBytes table = code_bytes(header.window_base);
  const uint32_t* starts = reinterpret_cast<const uint32_t*>(packed + header.patch_starts_offset);
  const uint16_t* patches = reinterpret_cast<const uint16_t*>(packed + header.patches_offset);
  for (uint32_t column_block = 0; column_block < strip_blocks(header); ++column_block) {
    const uint64_t index = block_index(header, strip, column_block);
    const uint8_t* block = packed + header.blocks_offset + index * kFastBlockBytes;
    const uint32_t* words = reinterpret_cast<const uint32_t*>(block + kBlockWeights) + lane;
    const uint32_t codes[3] = {words[0], words[kLanes], words[2 * kLanes]};
    uint32_t low[8], high[8], registers[kLaneRegisters];
    load_lane_bytes(block, lane, low);
    expand_codes(codes, table, high);
    store_lane_bytes(high_plane, lane, high);
    __syncwarp();
    for (uint32_t i = starts[index] + lane; i < starts[index + 1]; i += kLanes) apply_patch(high_plane, patches[i]);
    __syncwarp();
    load_lane_bytes(high_plane, lane, high);
    __syncwarp();
    merge_bytes(low, high, registers);
#pragma unroll
    for (uint32_t i = 0; i < kLaneRegisters; ++i) {
      const uint32_t pair = header.exponent_shift ? unshifted_pair(registers[i]) : registers[i];
      registers_out[(index * kLaneRegisters + i) * kLanes + lane] = pair;
    }
  }
}

__global__ void decode_dense_strips(PackedHeader header, const uint8_t* packed, uint32_t* registers_out) {
  extern __shared__ uint32_t pair_table[];
  const uint32_t lane = threadIdx.x;
  const uint32_t strip = blockIdx.x;
  const uint32_t index_mask = (1u << 2 * header.code_limit) - 1;
  const uint16_t* code_table = reinterpret_cast<const uint16_t*>(packed + header.code_table_offset);
  for (uint32_t i = lane; i <= index_mask; i += kLanes) pair_table[i] = pair_entry(code_table, header.code_limit, i);
  __syncwarp();
  const uint32_t* segments = reinterpret_cast<const uint32_t*>(packed + header.segment_starts_offset);
  const uint16_t* positions = reinterpret_cast<const uint16_t*>(packed + header.entry_positions_offset);
  const uint32_t* starts = reinterpret_cast<const uint32_t*>(packed + header.patch_starts_offset);
  const uint32_t* escapes = reinterpret_cast<const uint32_t*>(packed + header.patches_offset);
  const uint32_t* words = reinterpret_cast<const uint32_t*>(packed + header.words_offset);
  LaneBits bits{};
  uint32_t escape = 0;
  uint32_t entry = strip * strip_entries(header);
  for (uint32_t column_block = 0; column_block < strip_blocks(header); ++column_block) {
    const uint64_t index = block_index(header, strip, column_block);
    const uint32_t stream = stream_of(lane, strip, column_block);
    const uint64_t row = segments[segment_index(header, strip, column_block)];
    const bool is_entry = column_block % entry_blocks(header) == 0;
    if (is_entry) escape = starts[entry];
    bits.position =
        is_entry ? positions[entry * kLanes + stream] : __shfl_sync(~0u, bits.position, (lane + kStreamStep) % kLanes);
    bits.words = words + row * kLanes + stream;
    if (is_entry) ++entry;
    uint32_t bytes[8], registers[kLaneRegisters];
    load_lane_bytes(packed + header.blocks_offset + index * kDenseBlockBytes, lane, bytes);
    decode_lane(bits, pair_table, index_mask, bytes, registers);
    const uint32_t block_in_entry = column_block % entry_blocks(header);
    for (; escape < starts[entry] && escape_block(escapes[escape]) == block_in_entry; ++escape) {
      apply_escape(escapes[escape], lane, registers);
    }
#pragma unroll
    for (uint32_t i = 0; i < kLaneRegisters; ++i) {
      registers_out[(index * kLaneRegisters + i) * kLanes + lane] = registers[i];
    }
  }
}

}  // namespace glyd::weights

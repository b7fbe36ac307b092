#pragma once

#include "codec/entropy/weights/block_layout.h"

// What one lane of a warp does to decode a block: words of the packed form to the 16 registers of operand A, four for
// each tile of 16 columns (block_layout.h has the order). The same functions are compiled for the device and, for
// tests, for the host. None of them checks anything; none reads more than its comment says.
//
// In a kernel these are what is inside the loop; loads, prefetching and shared memory are the kernel's business.
namespace glyd::weights {

// Bytes of two words picked by four nibbles. Bytes 0-3 are those of `low`, 4-7 those of `high`; nibble i of `selector`
// picks byte i of the result by its lower three bits. If bit 3 of the nibble is set, the result's byte is instead eight
// copies of the picked byte's bit 7. Bits 16 and up of `selector` are ignored.
GLYD_HOST_DEVICE inline uint32_t byte_permute(uint32_t low, uint32_t high, uint32_t selector) {
#ifdef __CUDA_ARCH__
  // The intrinsic __byte_perm knows only three bits of a nibble.
  uint32_t result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
  return result;
#else
  const uint64_t bytes = uint64_t{high} << 32 | low;
  uint32_t result = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t nibble = selector >> 4 * i & 15;
    uint32_t byte = static_cast<uint32_t>(bytes >> 8 * (nibble & 7)) & 255;
    if (nibble & 8) byte = (byte >> 7) * 255;
    result |= byte << 8 * i;
  }
  return result;
#endif
}

// The low word of (high:low) >> shift. Only the lower five bits of `shift` count.
GLYD_HOST_DEVICE inline uint32_t funnel_shift_right(uint32_t low, uint32_t high, uint32_t shift) {
#ifdef __CUDA_ARCH__
  return __funnelshift_r(low, high, shift);
#else
  return static_cast<uint32_t>((uint64_t{high} << 32 | low) >> (shift & 31));
#endif
}

// A lane's 16 bytes of one half of a plane, as one load or store. Precondition: `bytes` is at a multiple of 16.
GLYD_HOST_DEVICE inline void load_half(const uint8_t* bytes, uint32_t words[4]) {
#ifdef __CUDA_ARCH__
  const uint4 value = *reinterpret_cast<const uint4*>(bytes);
  words[0] = value.x;
  words[1] = value.y;
  words[2] = value.z;
  words[3] = value.w;
#else
  __builtin_memcpy(words, bytes, 16);
#endif
}
GLYD_HOST_DEVICE inline void store_half(uint8_t* bytes, const uint32_t words[4]) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<uint4*>(bytes) = make_uint4(words[0], words[1], words[2], words[3]);
#else
  __builtin_memcpy(bytes, words, 16);
#endif
}

// A lane's 32 bytes of a plane of 1,024.
GLYD_HOST_DEVICE inline void load_lane_bytes(const uint8_t* plane, uint32_t lane, uint32_t words[8]) {
  load_half(plane + place_of(lane, 0), words);
  load_half(plane + place_of(lane, 16), words + 4);
}
GLYD_HOST_DEVICE inline void store_lane_bytes(uint8_t* plane, uint32_t lane, const uint32_t words[8]) {
  store_half(plane + place_of(lane, 0), words);
  store_half(plane + place_of(lane, 16), words + 4);
}

// ---- fast ----

// The eight high bytes that codes stand for, code 0 in bits 0-7 of `low`.
struct CodeBytes {
  uint32_t low;
  uint32_t high;
};
GLYD_HOST_DEVICE constexpr CodeBytes code_bytes(uint32_t window_base) {
  const uint32_t positive = window_base * 0x01010101u + 0x03020100u;
  return {positive, positive | 0x80808080u};
}

// A lane's three code words to its 32 high bytes, unpatched, in lane order.
GLYD_HOST_DEVICE inline void expand_codes(const uint32_t codes[3], CodeBytes table, uint32_t high[8]) {
  const uint32_t spare = (codes[0] >> 3 & 0x11111111u) | (codes[1] >> 2 & 0x22222222u) | (codes[2] >> 1 & 0x44444444u);
  const uint32_t nibbles[4] = {codes[0] & 0x77777777u, codes[1] & 0x77777777u, codes[2] & 0x77777777u, spare};
#ifdef __CUDACC__
#pragma unroll
#endif
  for (uint32_t i = 0; i < 4; ++i) {
    high[2 * i] = byte_permute(table.low, table.high, nibbles[i]);
    high[2 * i + 1] = byte_permute(table.low, table.high, nibbles[i] >> 16);
  }
}

// Applies one patch to the plane of a block's high bytes. Patches of one block have different places, so lanes may
// apply them at once. Between store_lane_bytes(), this, and load_lane_bytes() the lanes have to be synchronised.
GLYD_HOST_DEVICE inline void apply_patch(uint8_t* high_plane, uint32_t patch) {
  high_plane[patch_place(patch)] = static_cast<uint8_t>(high_plane[patch_place(patch)] ^ patch_change(patch));
}

// Low and high bytes of a lane's 32 weights to registers.
GLYD_HOST_DEVICE inline void merge_bytes(const uint32_t low[8], const uint32_t high[8], uint32_t registers[16]) {
#ifdef __CUDACC__
#pragma unroll
#endif
  for (uint32_t i = 0; i < 8; ++i) {
    registers[2 * i] = byte_permute(low[i], high[i], 0x5140);
    registers[2 * i + 1] = byte_permute(low[i], high[i], 0x7362);
  }
}

// Both weights of a register as they were before exponent_shift = 1. For decoding to memory; a product halves its
// result instead.
GLYD_HOST_DEVICE inline uint32_t unshifted_pair(uint32_t pair) {
  const uint32_t first = unshifted_weight(static_cast<uint16_t>(pair));
  const uint32_t second = unshifted_weight(static_cast<uint16_t>(pair >> 16));
  return first | second << 16;
}

// ---- dense ----

// Bits of an entry of the code table; a pair table's entry has the sum of two lengths in bits 0-4, the exponent of the
// first weight in bits 7-14 and that of the second in bits 23-30, where a register has them.
inline constexpr uint32_t kEntryLength = 15;
inline constexpr uint32_t kEntryEscape = 0x8000;
inline constexpr uint32_t kEntryExponent = 0x7F80;

// Entry `index` of the pair table, 0 to 4^code_limit - 1, from the code table.
GLYD_HOST_DEVICE inline uint32_t pair_entry(const uint16_t* code_table, uint32_t code_limit, uint32_t index) {
  const uint32_t mask = (1u << code_limit) - 1;
  const uint32_t first = code_table[index & mask];
  const uint32_t second = code_table[index >> (first & kEntryLength) & mask];
  return (first & kEntryLength) + (second & kEntryLength) + (first & kEntryExponent) +
         ((second & kEntryExponent) << 16);
}

// Where a lane is in the stream that it reads. `words`: word 0 of the stream in its segment (word stream_of() of the
// segment's first row); the next one is 32 words on. After a block a lane takes over the position of the lane
// kStreamStep further on, modulo 32, and the words of that stream.
struct LaneBits {
  const uint32_t* words;
  uint32_t position;
};

// The next 64 bits. Reads three words, at rows position / 32 to position / 32 + 2.
GLYD_HOST_DEVICE inline void peek_bits(const LaneBits& bits, uint32_t& low, uint32_t& high) {
  const uint32_t* next = bits.words + (bits.position >> 5) * kLanes;
  const uint32_t middle = next[kLanes];
  low = funnel_shift_right(next[0], middle, bits.position);
  high = funnel_shift_right(middle, next[2 * kLanes], bits.position);
}

// Sign and mantissa bytes 0 and 1, or 2 and 3, of `bytes`, with the exponents of a pair table's entry.
GLYD_HOST_DEVICE inline uint32_t join_pair(uint32_t bytes, uint32_t selector, uint32_t entry) {
  return (byte_permute(bytes, 0, selector) & 0x807F807Fu) | (entry & 0x7F807F80u);
}
// Each weight's byte below eight copies of its bit 7, so that the sign is both where it is not wanted and where it is.
inline constexpr uint32_t kSpreadLower = 0x9180;
inline constexpr uint32_t kSpreadUpper = 0xB3A2;

// Four pairs, the lane's weights in one tile. `low` and `high`: the next 64 bits of the stream. `bytes`: the eight sign
// and mantissa bytes. `index_mask`: 4^code_limit - 1. Returns the number of bits used. Escapes decode as exponent 0.
GLYD_HOST_DEVICE inline uint32_t decode_tile(uint32_t low, uint32_t high, const uint32_t* pair_table,
                                             uint32_t index_mask, const uint32_t bytes[2], uint32_t registers[4]) {
  // Of 64 bits a pair takes at most 16: after one pair both words are needed, after three 16 bits are left in one.
  const uint32_t entry0 = pair_table[low & index_mask];
  const uint32_t low1 = funnel_shift_right(low, high, entry0);
  const uint32_t high1 = high >> (entry0 & 31);
  const uint32_t entry1 = pair_table[low1 & index_mask];
  const uint32_t low2 = funnel_shift_right(low1, high1, entry1);
  const uint32_t entry2 = pair_table[low2 & index_mask];
  const uint32_t low3 = low2 >> (entry2 & 31);
  const uint32_t entry3 = pair_table[low3 & index_mask];
  registers[0] = join_pair(bytes[0], kSpreadLower, entry0);
  registers[1] = join_pair(bytes[0], kSpreadUpper, entry1);
  registers[2] = join_pair(bytes[1], kSpreadLower, entry2);
  registers[3] = join_pair(bytes[1], kSpreadUpper, entry3);
  return (entry0 + entry1 + entry2 + entry3) & 127;
}

// A block: 32 weights. `bytes`: the lane's sign and mantissa bytes (load_lane_bytes).
GLYD_HOST_DEVICE inline void decode_lane(LaneBits& bits, const uint32_t* pair_table, uint32_t index_mask,
                                         const uint32_t bytes[8], uint32_t registers[16]) {
#ifdef __CUDACC__
#pragma unroll
#endif
  for (uint32_t tile = 0; tile < kBlockTiles; ++tile) {
    uint32_t low = 0;
    uint32_t high = 0;
    peek_bits(bits, low, high);
    bits.position += decode_tile(low, high, pair_table, index_mask, bytes + 2 * tile, registers + 4 * tile);
  }
}

// Applies an escape of the block if it is this lane's. Escapes are rare: all lanes look at each.
GLYD_HOST_DEVICE inline void apply_escape(uint32_t escape, uint32_t lane, uint32_t registers[16]) {
  if (place_lane(escape_place(escape)) != lane) return;
  const uint32_t weight = place_weight(escape_place(escape));
  const uint32_t change = escape_exponent(escape) << (weight % 2 * 16 + 7);
  // A loop instead of an index keeps the registers registers.
#ifdef __CUDACC__
#pragma unroll
#endif
  for (uint32_t i = 0; i < kLaneRegisters; ++i) registers[i] ^= i == weight / 2 ? change : 0;
}

}  // namespace glyd::weights

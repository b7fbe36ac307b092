#if defined(__aarch64__)
#include <arm_neon.h>

#include "codec/entropy/rans/rans_kernel.h"

namespace glyd::rans {
namespace {

// For each set of lanes that take a word: which bytes of the next four words each lane gets; 255 gives zeros.
struct LaneBytes {
  uint8_t bytes[16][16];
};

constexpr LaneBytes make_lane_bytes() {
  LaneBytes table{};
  for (unsigned taking = 0; taking < 16; ++taking) {
    uint8_t next = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      const bool takes = (taking >> lane & 1) != 0;
      for (unsigned byte = 0; byte < 4; ++byte) {
        table.bytes[taking][4 * lane + byte] = takes && byte < 2 ? static_cast<uint8_t>(next + byte) : uint8_t{255};
      }
      if (takes) next += 2;
    }
  }
  return table;
}

constexpr LaneBytes kLaneBytes = make_lane_bytes();

// NEON has no gather: four loads.
inline uint32x4_t gather(const uint32_t* table, uint32x4_t index) {
  uint32x4_t result = vdupq_n_u32(0);
  result = vld1q_lane_u32(table + vgetq_lane_u32(index, 0), result, 0);
  result = vld1q_lane_u32(table + vgetq_lane_u32(index, 1), result, 1);
  result = vld1q_lane_u32(table + vgetq_lane_u32(index, 2), result, 2);
  return vld1q_lane_u32(table + vgetq_lane_u32(index, 3), result, 3);
}

inline uint32x4_t gather_symbols(const uint8_t* table, uint32x4_t index) {
  uint32x4_t result = vdupq_n_u32(table[vgetq_lane_u32(index, 0)]);
  result = vsetq_lane_u32(table[vgetq_lane_u32(index, 1)], result, 1);
  result = vsetq_lane_u32(table[vgetq_lane_u32(index, 2)], result, 2);
  return vsetq_lane_u32(table[vgetq_lane_u32(index, 3)], result, 3);
}

// Four states: takes the words for those that need one.
inline uint32x4_t refill(uint32x4_t x, const uint8_t*& words) {
  const uint32x4_t is_low = vcltq_u32(x, vdupq_n_u32(kLowerBound));
  const uint32x4_t weights = {1, 2, 4, 8};
  const unsigned taking = vaddvq_u32(vandq_u32(is_low, weights));
  const uint8x16_t next = vcombine_u8(vld1_u8(words), vdup_n_u8(0));
  const uint32x4_t own = vreinterpretq_u32_u8(vqtbl1q_u8(next, vld1q_u8(kLaneBytes.bytes[taking])));
  words += 2 * __builtin_popcount(taking);
  return vbslq_u32(is_low, vorrq_u32(vshlq_n_u32(x, 16), own), x);
}

template <bool kPacked>
inline uint32x4_t decode_four(uint32x4_t& x, const DecodeTable& table, uint32x4_t slot_mask, int32x4_t right) {
  const uint32x4_t slot = vandq_u32(x, slot_mask);
  const uint32x4_t entry = gather(table.slots(), slot);
  const uint32x4_t quotient = vshlq_u32(x, right);
  if constexpr (kPacked) {
    x = vmlaq_u32(vandq_u32(vshrq_n_u32(entry, 12), slot_mask), vandq_u32(entry, slot_mask), quotient);
    return vshrq_n_u32(entry, 24);
  } else {
    x = vmlaq_u32(vshrq_n_u32(entry, 16), vandq_u32(entry, vdupq_n_u32(0xFFFF)), quotient);
    return gather_symbols(table.symbols(), slot);
  }
}

template <unsigned kVectors, bool kPacked>
void run(DecodeCursor& cursor, const DecodeTable& table) {
  const uint32x4_t slot_mask = vdupq_n_u32((uint32_t{1} << table.bits()) - 1);
  const int32x4_t right = vdupq_n_s32(-static_cast<int>(table.bits()));
  uint32x4_t x[kVectors];
  for (unsigned v = 0; v < kVectors; ++v) x[v] = vld1q_u32(cursor.states + 4 * v);
  const uint8_t* words = cursor.words;
  uint8_t* to = cursor.symbols;
  size_t rounds = cursor.rounds;
  while (rounds > 0 && static_cast<size_t>(cursor.words_end - words) >= kWordBytesAhead) {
    uint32x4_t symbols[kVectors];
    for (unsigned v = 0; v < kVectors; ++v) symbols[v] = decode_four<kPacked>(x[v], table, slot_mask, right);
    for (unsigned v = 0; v < kVectors; ++v) x[v] = refill(x[v], words);
    for (unsigned v = 0; v < kVectors; v += 2) {
      vst1_u8(to + 4 * v, vmovn_u16(vcombine_u16(vmovn_u32(symbols[v]), vmovn_u32(symbols[v + 1]))));
    }
    to += 4 * kVectors;
    --rounds;
  }
  for (unsigned v = 0; v < kVectors; ++v) vst1q_u32(cursor.states + 4 * v, x[v]);
  cursor.words = words;
  cursor.symbols = to;
  cursor.rounds = rounds;
}

}  // namespace

void decode_rounds_neon(DecodeCursor& cursor, const DecodeTable& table, unsigned ways) {
  const bool packed = table.is_packed();
  switch (ways) {
    case 8:
      return packed ? run<2, true>(cursor, table) : run<2, false>(cursor, table);
    case 16:
      return packed ? run<4, true>(cursor, table) : run<4, false>(cursor, table);
    default:
      return packed ? run<8, true>(cursor, table) : run<8, false>(cursor, table);
  }
}

}  // namespace glyd::rans
#endif

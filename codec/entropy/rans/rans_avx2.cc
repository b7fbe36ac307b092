#if defined(__x86_64__)
#include <immintrin.h>

#include <array>
#include <bit>

#include "codec/entropy/rans/rans_kernel.h"

// The file is compiled for any x86-64; only these functions are for AVX2, and only called when the processor has it.
#define GLYD_AVX2 __attribute__((target("avx2,popcnt")))

namespace glyd::rans {
namespace {

// For each set of lanes that take a word: which of the next words each lane gets.
struct alignas(32) LaneShuffles {
  uint32_t lanes[256][8];
};

constexpr LaneShuffles make_shuffles() {
  LaneShuffles shuffles{};
  for (unsigned taking = 0; taking < 256; ++taking) {
    uint32_t next = 0;
    for (unsigned lane = 0; lane < 8; ++lane) shuffles.lanes[taking][lane] = (taking >> lane & 1) != 0 ? next++ : 0;
  }
  return shuffles;
}

constexpr LaneShuffles kShuffles = make_shuffles();

// For each set of lanes that give a word: which of eight words go to the end of 16 bytes, in order.
struct alignas(16) WordShuffles {
  uint8_t bytes[256][16];
};

constexpr WordShuffles make_word_shuffles() {
  WordShuffles shuffles{};
  for (unsigned giving = 0; giving < 256; ++giving) {
    unsigned at = 16;
    for (unsigned lane = 8; lane-- > 0;) {
      if ((giving >> lane & 1) == 0) continue;
      at -= 2;
      shuffles.bytes[giving][at] = static_cast<uint8_t>(2 * lane);
      shuffles.bytes[giving][at + 1] = static_cast<uint8_t>(2 * lane + 1);
    }
  }
  return shuffles;
}

constexpr WordShuffles kWordShuffles = make_word_shuffles();

// Eight states: takes the words for those that need one.
GLYD_AVX2 inline __m256i refill(__m256i x, const uint8_t*& words) {
  const __m256i is_low = _mm256_cmpeq_epi32(_mm256_srli_epi32(x, 16), _mm256_setzero_si256());
  const unsigned taking = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(is_low)));
  const __m256i next = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words)));
  const __m256i shuffle = _mm256_load_si256(reinterpret_cast<const __m256i*>(kShuffles.lanes[taking]));
  const __m256i own = _mm256_permutevar8x32_epi32(next, shuffle);
  words += 2 * std::popcount(taking);
  return _mm256_blendv_epi8(x, _mm256_or_si256(_mm256_slli_epi32(x, 16), own), is_low);
}

// One symbol of eight states, in the low bytes of eight lanes.
template <bool kPacked>
GLYD_AVX2 inline __m256i decode_eight(__m256i& x, const DecodeTable& table, __m256i slot_mask, __m128i bits) {
  const __m256i slot = _mm256_and_si256(x, slot_mask);
  const __m256i entry = _mm256_i32gather_epi32(reinterpret_cast<const int*>(table.slots()), slot, 4);
  const __m256i quotient = _mm256_srl_epi32(x, bits);
  if constexpr (kPacked) {
    const __m256i count = _mm256_and_si256(entry, slot_mask);
    const __m256i within = _mm256_and_si256(_mm256_srli_epi32(entry, 12), slot_mask);
    x = _mm256_add_epi32(_mm256_mullo_epi32(count, quotient), within);
    return _mm256_srli_epi32(entry, 24);
  } else {
    const __m256i count = _mm256_and_si256(entry, _mm256_set1_epi32(0xFFFF));
    x = _mm256_add_epi32(_mm256_mullo_epi32(count, quotient), _mm256_srli_epi32(entry, 16));
    const __m256i symbol = _mm256_i32gather_epi32(reinterpret_cast<const int*>(table.symbols()), slot, 1);
    return _mm256_and_si256(symbol, _mm256_set1_epi32(0xFF));
  }
}

// Low bytes of 8, 16 or 32 lanes to as many bytes in order.
template <unsigned kVectors>
GLYD_AVX2 inline void store_symbols(const __m256i* symbols, uint8_t* to) {
  if constexpr (kVectors == 4) {
    const __m256i low = _mm256_packus_epi32(symbols[0], symbols[1]);
    const __m256i high = _mm256_packus_epi32(symbols[2], symbols[3]);
    const __m256i mixed = _mm256_packus_epi16(low, high);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(mixed, order));
  } else {
    for (unsigned v = 0; v < kVectors; ++v) {
      const __m128i words =
          _mm_packus_epi32(_mm256_castsi256_si128(symbols[v]), _mm256_extracti128_si256(symbols[v], 1));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + 8 * v), _mm_packus_epi16(words, words));
    }
  }
}

template <unsigned kVectors, bool kPacked>
GLYD_AVX2 void run(DecodeCursor& cursor, const DecodeTable& table) {
  const __m256i slot_mask = _mm256_set1_epi32(static_cast<int>((uint32_t{1} << table.bits()) - 1));
  const __m128i bits = _mm_cvtsi32_si128(static_cast<int>(table.bits()));
  __m256i x[kVectors];
  for (unsigned v = 0; v < kVectors; ++v) {
    x[v] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cursor.states + 8 * v));
  }
  const uint8_t* words = cursor.words;
  uint8_t* to = cursor.symbols;
  size_t rounds = cursor.rounds;
  while (rounds > 0 && static_cast<size_t>(cursor.words_end - words) >= kWordBytesAhead) {
    __m256i symbols[kVectors];
    for (unsigned v = 0; v < kVectors; ++v) symbols[v] = decode_eight<kPacked>(x[v], table, slot_mask, bits);
    for (unsigned v = 0; v < kVectors; ++v) x[v] = refill(x[v], words);
    store_symbols<kVectors>(symbols, to);
    to += 8 * kVectors;
    --rounds;
  }
  for (unsigned v = 0; v < kVectors; ++v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(cursor.states + 8 * v), x[v]);
  }
  cursor.words = words;
  cursor.symbols = to;
  cursor.rounds = rounds;
}

// Gives off the words of the states at or above their limits.
GLYD_AVX2 inline __m256i give_words(__m256i x, __m256i limit, uint8_t*& words) {
  const __m256i gives = _mm256_cmpeq_epi32(_mm256_max_epu32(x, limit), x);
  const unsigned giving = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(gives)));
  const __m256i low = _mm256_and_si256(x, _mm256_set1_epi32(0xFFFF));
  const __m128i eight = _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
  const __m128i shuffle = _mm_load_si128(reinterpret_cast<const __m128i*>(kWordShuffles.bytes[giving]));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words - 16), _mm_shuffle_epi8(eight, shuffle));
  words -= 2 * std::popcount(giving);
  return _mm256_blendv_epi8(x, _mm256_srli_epi32(x, 16), gives);
}

GLYD_AVX2 inline __m256i encode_eight(__m256i x, const uint8_t* symbols, const EncodeTable& table, uint8_t*& words) {
  const __m256i symbol = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(symbols)));
  const __m256i packed = _mm256_i32gather_epi32(reinterpret_cast<const int*>(table.packed), symbol, 4);
  const __m256i reciprocal = _mm256_i32gather_epi32(reinterpret_cast<const int*>(table.reciprocals), symbol, 4);
  const __m256i field = _mm256_set1_epi32(0x3FFF);
  const __m256i count = _mm256_and_si256(packed, field);
  const __m256i first = _mm256_and_si256(_mm256_srli_epi32(packed, 14), field);
  const int bits = static_cast<int>(table.bits);
  x = give_words(x, _mm256_sll_epi32(count, _mm_cvtsi32_si128(32 - bits)), words);
  const __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(x, reciprocal), 32);
  const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(reciprocal, 32));
  const __m256i high = _mm256_blend_epi32(even, odd, 0xAA);
  __m256i quotient = _mm256_srlv_epi32(high, _mm256_srli_epi32(packed, 28));
  __m256i remainder = _mm256_sub_epi32(x, _mm256_mullo_epi32(quotient, count));
  const __m256i is_less = _mm256_cmpgt_epi32(count, remainder);
  quotient = _mm256_add_epi32(quotient, _mm256_add_epi32(_mm256_set1_epi32(1), is_less));
  remainder = _mm256_sub_epi32(remainder, _mm256_andnot_si256(is_less, count));
  return _mm256_add_epi32(_mm256_sll_epi32(quotient, _mm_cvtsi32_si128(bits)), _mm256_add_epi32(remainder, first));
}

template <unsigned kVectors>
GLYD_AVX2 void run_backwards(EncodeCursor& cursor, const EncodeTable& table) {
  __m256i x[kVectors];
  for (unsigned v = 0; v < kVectors; ++v) {
    x[v] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cursor.states + 8 * v));
  }
  uint8_t* words = cursor.words;
  for (; cursor.rounds > 0; --cursor.rounds) {
    cursor.symbols -= 8 * kVectors;
    for (unsigned v = kVectors; v-- > 0;) x[v] = encode_eight(x[v], cursor.symbols + 8 * v, table, words);
  }
  for (unsigned v = 0; v < kVectors; ++v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(cursor.states + 8 * v), x[v]);
  }
  cursor.words = words;
}

}  // namespace

void encode_rounds_avx2(EncodeCursor& cursor, const EncodeTable& table, unsigned ways) {
  switch (ways) {
    case 8:
      return run_backwards<1>(cursor, table);
    case 16:
      return run_backwards<2>(cursor, table);
    default:
      return run_backwards<4>(cursor, table);
  }
}

void decode_rounds_avx2(DecodeCursor& cursor, const DecodeTable& table, unsigned ways) {
  const bool packed = table.is_packed();
  switch (ways) {
    case 8:
      return packed ? run<1, true>(cursor, table) : run<1, false>(cursor, table);
    case 16:
      return packed ? run<2, true>(cursor, table) : run<2, false>(cursor, table);
    default:
      return packed ? run<4, true>(cursor, table) : run<4, false>(cursor, table);
  }
}

}  // namespace glyd::rans
#endif

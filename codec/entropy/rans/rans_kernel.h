#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/entropy/rans/rans_block.h"

// The inner loops of rANS coding, one a kind of processor.
namespace glyd::rans {

inline constexpr uint32_t kLowerBound = uint32_t{1} << 16;  // of a state
inline constexpr unsigned kMaxWays = 32;

// Where a decoder stands: states, the next word, the next symbol.
struct DecodeCursor {
  uint32_t* states;  // ways of them
  const uint8_t* words;
  const uint8_t* words_end;
  uint8_t* symbols;
  size_t rounds;  // left: a round is one symbol of each way
};

// Advances the cursor by whole rounds while at least kMaxWays words and 16 bytes are left to read; the rest is for
// decode_rounds_scalar(). Which rounds a kernel takes makes no difference to the result.
using DecodeRounds = void (*)(DecodeCursor& cursor, const DecodeTable& table, unsigned ways);

inline constexpr size_t kWordBytesAhead = kMaxWays * 2 + 16;

// How each symbol changes a state when it is encoded: x -> x / count * 2^bits + first + x % count.
struct EncodeTable {
  unsigned bits;
  // floor(2^(32 + shift) / count), or 2^32 - 1 when that is less, where shift = floor(log2(count)). For the states that
  // occur, x * reciprocal >> (32 + shift) is x / count or one less, which the remainder tells.
  uint32_t reciprocals[256];
  uint32_t packed[256];  // count in bits 0-13, first in bits 14-27, shift in bits 28-31
};

// Where an encoder stands, which goes from the last symbol to the first: words and symbols end at these pointers.
struct EncodeCursor {
  uint32_t* states;
  uint8_t* words;  // at least 16 bytes more than the words still to come are writable before it
  const uint8_t* symbols;
  size_t rounds;
};

// Encodes all rounds.
using EncodeRounds = void (*)(EncodeCursor& cursor, const EncodeTable& table, unsigned ways);

#if defined(__x86_64__)
void decode_rounds_avx2(DecodeCursor& cursor, const DecodeTable& table, unsigned ways);
void encode_rounds_avx2(EncodeCursor& cursor, const EncodeTable& table, unsigned ways);
#elif defined(__aarch64__)
void decode_rounds_neon(DecodeCursor& cursor, const DecodeTable& table, unsigned ways);
#endif

}  // namespace glyd::rans

#include "codec/entropy/rans/rans_block.h"

#include <array>
#include <cstring>

#include "codec/entropy/rans/rans_kernel.h"

namespace glyd::rans {
namespace {

// Below these numbers of symbols the states of more ways cost more than their speed is worth.
constexpr size_t kSymbolsFor16Ways = 1024;
constexpr size_t kSymbolsFor32Ways = 4096;

unsigned ways_of(unsigned form) {
  return 8u << (form & 3);
}

void build_table(const Model& model, EncodeTable& table) {
  table.bits = model.bits;
  uint32_t first = 0;
  for (size_t s = 0; s < 256; ++s) {
    const uint32_t count = model.counts[s];
    const unsigned shift = count == 0 ? 0 : static_cast<unsigned>(std::bit_width(count)) - 1;
    const uint64_t reciprocal = count == 0 ? 0 : (uint64_t{1} << (32 + shift)) / count;
    table.reciprocals[s] = static_cast<uint32_t>(std::min<uint64_t>(reciprocal, ~uint32_t{0}));
    table.packed[s] = count | first << 14 | shift << 28;
    // After the last symbol this is 2^bits, which has no room in 14 bits; nor has it a symbol.
    first = (first + count) & 0x3FFF;
  }
}

inline uint32_t encode_symbol(uint32_t x, uint8_t symbol, const EncodeTable& table, uint8_t*& words) {
  const uint32_t packed = table.packed[symbol];
  const uint32_t count = packed & 0x3FFF;
  // The word is always put down; the pointer decides whether it stays.
  store_le(words - 2, static_cast<uint16_t>(x));
  const bool gives_word = x >= count << (32 - table.bits);
  words -= gives_word ? 2 : 0;
  x >>= gives_word ? 16 : 0;
  uint32_t quotient = static_cast<uint32_t>(uint64_t{x} * table.reciprocals[symbol] >> 32) >> (packed >> 28);
  uint32_t remainder = x - quotient * count;
  const uint32_t one_more = remainder >= count ? 1 : 0;
  quotient += one_more;
  remainder -= one_more * count;
  return (quotient << table.bits) + remainder + (packed >> 14 & 0x3FFF);
}

void encode_rounds_scalar(EncodeCursor& cursor, const EncodeTable& table, unsigned ways) {
  uint8_t* words = cursor.words;
  for (; cursor.rounds > 0; --cursor.rounds) {
    cursor.symbols -= ways;
    for (unsigned way = ways; way-- > 0;) {
      cursor.states[way] = encode_symbol(cursor.states[way], cursor.symbols[way], table, words);
    }
  }
  cursor.words = words;
}

EncodeRounds encode_rounds_of(Implementation implementation) {
#if defined(__x86_64__)
  if (implementation == Implementation::kAvx2) return encode_rounds_avx2;
#endif
  return encode_rounds_scalar;
}

inline uint8_t decode_symbol(uint32_t& x, const DecodeTable& table) {
  const uint32_t slot = x & ((uint32_t{1} << table.bits()) - 1);
  const uint32_t entry = table.slots()[slot];
  if (table.is_packed()) {
    x = (entry & 0xFFF) * (x >> table.bits()) + (entry >> 12 & 0xFFF);
    return static_cast<uint8_t>(entry >> 24);
  }
  x = (entry & 0xFFFF) * (x >> table.bits()) + (entry >> 16);
  return table.symbols()[slot];
}

// Decodes `count` symbols that belong to the ways from 0 on. False when a word is missing.
bool decode_symbols(DecodeCursor& cursor, const DecodeTable& table, size_t count) {
  for (size_t way = 0; way < count; ++way) {
    uint32_t& x = cursor.states[way];
    *cursor.symbols++ = decode_symbol(x, table);
    if (x >= kLowerBound) continue;
    if (cursor.words_end - cursor.words < 2) return false;
    x = x << 16 | load_le<uint16_t>(cursor.words);
    cursor.words += 2;
  }
  return true;
}

void decode_rounds_scalar(DecodeCursor& cursor, const DecodeTable& table, unsigned ways) {
  while (cursor.rounds > 0 && static_cast<size_t>(cursor.words_end - cursor.words) >= kWordBytesAhead) {
    decode_symbols(cursor, table, ways);
    --cursor.rounds;
  }
}

DecodeRounds decode_rounds_of(Implementation implementation) {
  switch (implementation) {
#if defined(__x86_64__)
    case Implementation::kAvx2:
      return decode_rounds_avx2;
#elif defined(__aarch64__)
    case Implementation::kNeon:
      return decode_rounds_neon;
#endif
    default:
      return decode_rounds_scalar;
  }
}

}  // namespace

const char* implementation_name(Implementation implementation) {
  switch (implementation) {
    case Implementation::kAvx2:
      return "avx2";
    case Implementation::kNeon:
      return "neon";
    default:
      return "scalar";
  }
}

std::span<const Implementation> implementations() {
#if defined(__x86_64__)
  static constexpr Implementation kAll[] = {Implementation::kScalar, Implementation::kAvx2};
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0;
  return std::span(kAll).first(has_avx2 ? 2 : 1);
#elif defined(__aarch64__)
  static constexpr Implementation kAll[] = {Implementation::kScalar, Implementation::kNeon};
  return kAll;
#else
  static constexpr Implementation kAll[] = {Implementation::kScalar};
  return kAll;
#endif
}

Implementation best_implementation() {
  return implementations().back();
}

unsigned choose_ways(size_t symbol_count) {
  return symbol_count >= kSymbolsFor32Ways ? 32 : symbol_count >= kSymbolsFor16Ways ? 16 : 8;
}

size_t block_bound(size_t symbol_count) {
  // Form, 256 counts of at most 29 bits, states, and one word a symbol.
  return 1 + 256 * 4 + 4 * size_t{kMaxWays} + 2 * symbol_count;
}

size_t encode_block(Bytes symbols, const Model& model, unsigned ways, MutableBytes output,
                    Implementation implementation) {
  EncodeTable table;
  build_table(model, table);
  std::array<uint32_t, kMaxWays> states;
  states.fill(kLowerBound);
  uint8_t* const end = output.data() + output.size();
  // The last symbols, too few for a round, come first.
  EncodeCursor cursor{states.data(), end, symbols.data() + symbols.size(), symbols.size() / ways};
  for (size_t way = symbols.size() % ways; way-- > 0;) {
    states[way] = encode_symbol(states[way], *--cursor.symbols, table, cursor.words);
  }
  encode_rounds_of(implementation)(cursor, table, ways);

  const PackedTable packed = pack_table(model);
  const unsigned ways_code = static_cast<unsigned>(std::bit_width(ways)) - 4;
  uint8_t* p = output.data();
  *p++ = static_cast<uint8_t>(ways_code | (model.bits - kMinProbabilityBits) << 2 | packed.order << 4);
  p = std::copy(packed.bytes.begin(), packed.bytes.end(), p);
  for (unsigned way = 0; way < ways; ++way, p += 4) store_le(p, states[way]);
  const size_t word_bytes = static_cast<size_t>(end - cursor.words);
  std::memmove(p, cursor.words, word_bytes);
  return static_cast<size_t>(p - output.data()) + word_bytes;
}

void DecodeTable::build(const Model& model) {
  bits_ = model.bits;
  const size_t size = size_t{1} << bits_;
  slots_.resize(size);
  if (!is_packed()) symbols_.resize(size + 3);
  uint32_t slot = 0;
  for (uint32_t s = 0; s < 256; ++s) {
    const uint32_t count = model.counts[s];
    if (is_packed()) {
      for (uint32_t i = 0; i < count; ++i) slots_[slot++] = s << 24 | i << 12 | count;
    } else {
      std::memset(symbols_.data() + slot, static_cast<int>(s), count);
      for (uint32_t i = 0; i < count; ++i) slots_[slot++] = i << 16 | count;
    }
  }
}

Status decode_block(Bytes block, MutableBytes symbols, DecodeTable& table, Implementation implementation) {
  if (block.empty()) return Status(Code::kCorrupt, "rANS: empty block", 0);
  const unsigned form = block[0];
  const unsigned ways = ways_of(form);
  Model model;
  model.bits = kMinProbabilityBits + (form >> 2 & 3);
  if (ways > kMaxWays || model.bits > kMaxProbabilityBits || form >> 7 != 0) {
    return Status(Code::kCorrupt, "rANS: form", 0);
  }
  const size_t table_size = unpack_table(block.subspan(1), form >> 4 & 7, model);
  if (table_size == 0) return Status(Code::kCorrupt, "rANS: table", 1);
  const Bytes rest = block.subspan(1 + table_size);
  if (rest.size() < 4 * ways) return Status(Code::kCorrupt, "rANS: states", block.size());
  std::array<uint32_t, kMaxWays> states;
  std::memcpy(states.data(), rest.data(), size_t{4} * ways);
  table.build(model);
  DecodeCursor cursor{states.data(), rest.data() + size_t{4} * ways, rest.data() + rest.size(), symbols.data(),
                      symbols.size() / ways};
  decode_rounds_of(implementation)(cursor, table, ways);
  bool whole = true;
  for (; whole && cursor.rounds > 0; --cursor.rounds) whole = decode_symbols(cursor, table, ways);
  whole = whole && decode_symbols(cursor, table, symbols.size() % ways);
  const uint64_t offset = static_cast<uint64_t>(cursor.words - block.data());
  if (!whole) return Status(Code::kCorrupt, "rANS: a word is missing", offset);
  if (cursor.words != cursor.words_end) return Status(Code::kCorrupt, "rANS: words are left over", offset);
  for (unsigned way = 0; way < ways; ++way) {
    if (states[way] != kLowerBound) return Status(Code::kCorrupt, "rANS: end state", block.size());
  }
  return {};
}

}  // namespace glyd::rans

#include "codec/entropy/huffman/huffman_block.h"

#include <bit>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "codec/entropy/bit_stream.h"

namespace glyd::huffman {
namespace {

constexpr size_t kStreams = 8;
// Limit, 256 lengths with zeros between them, two sizes for each stream but the last.
constexpr size_t kMaxHeadBytes = 1 + 256 + (kStreams - 1) * 2 * kMaxVarintSize;
// Kraft's sum in units of 2^-kMaxBlockLimit.
constexpr uint32_t kWhole = uint32_t{1} << kMaxBlockLimit;
uint32_t share_of(unsigned length) {
  return length == 0 ? 0 : kWhole >> length;
}

void write_lengths(const BlockCode& code, std::vector<uint8_t>& out) {
  BitWriter writer(out);
  uint32_t sum = 0;
  for (size_t symbol = 0; sum < kWhole; ++symbol) {
    writer.write(code.lengths[symbol], 4);
    sum += share_of(code.lengths[symbol]);
    if (code.lengths[symbol] > 0) continue;
    size_t run = 0;
    while (code.lengths[symbol + 1] == 0) ++symbol, ++run;
    for (; run >= 15; run -= 15) writer.write(15, 4);
    writer.write(run, 4);
  }
  writer.finish();
}

// Returns the bytes the lengths took, 0 when they are damaged.
size_t read_lengths(Bytes bytes, BlockCode& code) {
  BitReader reader(bytes);
  code.lengths.fill(0);
  uint32_t sum = 0;
  for (size_t symbol = 0; sum < kWhole; ++symbol) {
    const unsigned length = static_cast<unsigned>(reader.read(4));
    if (symbol > 255 || length > code.limit || share_of(length) > kWhole - sum) return 0;
    code.lengths[symbol] = static_cast<uint8_t>(length);
    sum += share_of(length);
    if (length > 0) continue;
    size_t run = 0;
    do {
      run = static_cast<size_t>(reader.read(4));
      symbol += run;
    } while (run == 15 && symbol <= 255);
  }
  return reader.finish();
}

// A symbol's code and its length in one number, so that encoding reads it at once.
using EncodeTable = std::array<uint32_t, 256>;

EncodeTable make_encode_table(const BlockCode& code) {
  std::array<uint16_t, 256> codes;
  canonical_codes(code.lengths, codes);
  EncodeTable table;
  for (size_t s = 0; s < 256; ++s) table[s] = static_cast<uint32_t>(codes[s]) | uint32_t{code.lengths[s]} << 16;
  return table;
}

// Writes the codes of symbols from `symbols` on, to the last one or until the stream has `most_bits` bits or a few more.
// Moves `symbols` on. Writes up to 8 bytes beyond the end that it returns.
uint8_t* encode_stream(Bytes& symbols, const EncodeTable& table, uint64_t most_bits, uint8_t* p) {
  uint64_t held = 0;
  unsigned held_bits = 0;
  const auto put = [&](uint8_t symbol) {
    const uint32_t entry = table[symbol];
    held |= uint64_t{entry & 0xFFFF} << held_bits;
    held_bits += entry >> 16;
  };
  const auto flush = [&] {
    store_le(p, held);
    p += held_bits / 8;
    held >>= held_bits & ~7u;
    held_bits &= 7;
  };
  // Four codes and a rest below a byte fit 64 bits.
  static_assert(4 * kMaxBlockLimit + 7 <= 56);
  const uint8_t* from = symbols.data();
  const uint8_t* const end = from + symbols.size();
  const uint8_t* const full = p + std::min<uint64_t>(most_bits / 8, symbols.size() * 2);
  for (; end - from >= 4 && p < full; from += 4) {
    for (size_t k = 0; k < 4; ++k) put(from[k]);
    flush();
  }
  if (p < full) {
    while (from < end) put(*from++);
  }
  flush();
  if (held_bits > 0) *p++ = static_cast<uint8_t>(held);
  symbols = Bytes(from, end);
  return p;
}

// Where the parts of an entry begin; the bits of all its symbols are in the lowest byte.
constexpr int kSymbolsShift = 32;
constexpr unsigned kFirstBitsShift = 16;
constexpr unsigned kCountShift = 8;

constexpr unsigned kMostSymbols = 4;

struct CodedSymbol {
  uint16_t code;
  uint8_t length;
  uint8_t symbol;
};

// The entries for all values of `k` bits: a symbol that fits, and after it what `below` has for the bits that are left; nothing
// when that is nullptr. `is_top`: with the bits of the first symbol.
void fill_entries(const std::vector<CodedSymbol>& symbols, unsigned k, const uint64_t* below, uint64_t* entries,
                  bool is_top) {
  constexpr uint64_t kSymbols = ~uint64_t{0} << kSymbolsShift;
  for (const CodedSymbol& symbol : symbols) {
    if (symbol.length > k) continue;
    const uint64_t first_bits = is_top ? uint64_t{symbol.length} << kFirstBitsShift : 0;
    const uint64_t own =
        uint64_t{symbol.symbol} << kSymbolsShift | first_bits | uint64_t{1} << kCountShift | symbol.length;
    const size_t count = size_t{1} << (k - symbol.length);
    if (below == nullptr) {
      for (size_t i = 0; i < count; ++i) entries[symbol.code + (i << symbol.length)] = own;
      continue;
    }
    for (size_t i = 0; i < count; ++i) {
      const uint64_t after = below[count + i];
      entries[symbol.code + (i << symbol.length)] = ((after & kSymbols) << 8 | (after & ~kSymbols)) + own;
    }
  }
}

// One stream on its way through the decoder. Bits from `bit` on of `bytes` are still to come.
struct StreamCursor {
  const uint8_t* bytes;
  size_t size;
  size_t bit;  // in bytes * 8
  uint8_t* symbols;
  uint8_t* symbols_end;
  size_t bursts;  // that are safe
};

// A burst is one load of 64 bits, of which 57 at least are new, and the look-ups that these suffice for.
constexpr unsigned lookups_in_burst(unsigned limit) {
  return limit <= 11 ? 5 : 4;
}
static_assert(5 * 11 <= 57 && 4 * kMaxBlockLimit <= 57);

// How many bursts stay inside the stream's bytes and its symbols, whatever they are.
size_t safe_bursts(const StreamCursor& cursor, unsigned lookups, unsigned limit) {
  const size_t symbols = static_cast<size_t>(cursor.symbols_end - cursor.symbols);
  const size_t loads_end = 8 * cursor.size;
  const size_t loads = cursor.bit + 64 <= loads_end ? (loads_end - 64 - cursor.bit) / (lookups * limit) + 1 : 0;
  // The last look-up stores four symbols, though they may not all count.
  return std::min(loads, symbols / (4 * lookups));
}

// The low `count` bits of `bits`.
struct PlainBits {
  static uint64_t low(uint64_t bits, unsigned count) { return bits & ((uint64_t{1} << count) - 1); }
};
#if defined(__x86_64__)
struct Bmi2Bits {
  [[gnu::target("bmi2")]] static uint64_t low(uint64_t bits, unsigned count) { return _bzhi_u64(bits, count); }
};
#endif

// One burst of each of kCount streams, whose look-ups take turns: each waits for the one before it in its stream.
template <typename Bits, size_t kCount, unsigned kLookups>
[[gnu::always_inline]] inline void decode_burst(StreamCursor* cursors, const uint64_t* entries, unsigned limit) {
  constexpr uint64_t kMark = uint64_t{1} << 63;
  std::array<uint64_t, kCount> bits;
  std::array<uint8_t*, kCount> to;
  for (size_t s = 0; s < kCount; ++s) {
    const size_t bit = cursors[s].bit;
    // The mark moves down with the bits and tells in the end how many are gone. It takes the place of one that is not used.
    bits[s] = load_le<uint64_t>(cursors[s].bytes + bit / 8) >> (bit % 8) | kMark;
    to[s] = cursors[s].symbols;
  }
#pragma GCC unroll 5
  for (unsigned i = 0; i < kLookups; ++i) {
#pragma GCC unroll 8
    for (size_t s = 0; s < kCount; ++s) {
      const uint64_t entry = entries[Bits::low(bits[s], limit)];
      store_le(to[s], static_cast<uint32_t>(entry >> kSymbolsShift));
      to[s] += static_cast<uint8_t>(entry >> kCountShift);
      bits[s] >>= entry & 63;
    }
  }
  for (size_t s = 0; s < kCount; ++s) {
    cursors[s].bit += static_cast<size_t>(std::countl_zero(bits[s]));
    cursors[s].symbols = to[s];
  }
}

// `count` bursts of each of kCount streams.
template <typename Bits, size_t kCount, unsigned kLookups>
[[gnu::always_inline]] inline void decode_bursts(StreamCursor* cursors, const DecodeTable& table, size_t count) {
  const uint64_t* const entries = table.entries();
  const unsigned limit = table.limit();
  for (; count > 0; --count) {
    decode_burst<Bits, kCount, kLookups>(cursors, entries, limit);
  }
}

template <typename Bits, size_t kCount>
[[gnu::always_inline]] inline void decode_bursts(StreamCursor* cursors, const DecodeTable& table, size_t count) {
  if (lookups_in_burst(table.limit()) == 5) {
    decode_bursts<Bits, kCount, 5>(cursors, table, count);
  } else {
    decode_bursts<Bits, kCount, 4>(cursors, table, count);
  }
}

template <size_t kCount>
void decode_bursts_plain(StreamCursor* cursors, const DecodeTable& table, size_t count) {
  decode_bursts<PlainBits, kCount>(cursors, table, count);
}

#if defined(__x86_64__)
template <size_t kCount>
[[gnu::target("bmi2,lzcnt")]] void decode_bursts_bmi2(StreamCursor* cursors, const DecodeTable& table, size_t count) {
  decode_bursts<Bmi2Bits, kCount>(cursors, table, count);
}
#endif

template <size_t kCount>
void (*burst_decoder())(StreamCursor*, const DecodeTable&, size_t) {
#if defined(__x86_64__)
  static const bool has_bmi2 = __builtin_cpu_supports("bmi2") != 0;
  if (has_bmi2) return decode_bursts_bmi2<kCount>;
#endif
  return decode_bursts_plain<kCount>;
}

using BurstDecoder = void (*)(StreamCursor*, const DecodeTable&, size_t);

// Decodes in bursts for as long as a stream has some left: of all streams at once, then, when the first of them are near
// their end, of half as many, and so on.
void decode_streams(std::array<StreamCursor, kStreams>& cursors, const DecodeTable& table) {
  struct Round {
    size_t streams;
    BurstDecoder decode;
  };
  static const std::array<Round, 4> rounds = {Round{kStreams, burst_decoder<kStreams>()},
                                              Round{kStreams / 2, burst_decoder<kStreams / 2>()},
                                              Round{2, burst_decoder<2>()}, Round{1, burst_decoder<1>()}};
  for (const Round& round : rounds) {
    for (;;) {
      for (StreamCursor& cursor : cursors) {
        cursor.bursts = safe_bursts(cursor, lookups_in_burst(table.limit()), table.limit());
      }
      // Those with the most to do come first; the others wait, or are done.
      std::sort(cursors.begin(), cursors.end(),
                [](const StreamCursor& a, const StreamCursor& b) { return a.bursts > b.bursts; });
      const size_t bursts = cursors[round.streams - 1].bursts;
      if (bursts == 0) break;
      round.decode(cursors.data(), table, bursts);
    }
  }
}

// The symbols that are left, one at a time. False when the stream's bits are not exactly theirs.
bool finish_stream(StreamCursor& cursor, const DecodeTable& table) {
  const size_t mask = (size_t{1} << table.limit()) - 1;
  while (cursor.symbols < cursor.symbols_end) {
    uint64_t bits = 0;
    const size_t at = cursor.bit / 8;
    if (at >= cursor.size) return false;
    if (cursor.size - at >= 8) {
      bits = load_le<uint64_t>(cursor.bytes + at);
    } else {
      for (size_t i = at; i < cursor.size; ++i) bits |= uint64_t{cursor.bytes[i]} << (8 * (i - at));
    }
    const uint64_t entry = table.entries()[bits >> (cursor.bit % 8) & mask];
    *cursor.symbols++ = static_cast<uint8_t>(entry >> kSymbolsShift);
    cursor.bit += entry >> kFirstBitsShift & 0xFF;
  }
  if ((cursor.bit + 7) / 8 != cursor.size) return false;
  return cursor.bit % 8 == 0 || cursor.bytes[cursor.size - 1] >> (cursor.bit % 8) == 0;
}

}  // namespace

BlockCode make_code(const Histogram& histogram, unsigned limit) {
  std::array<uint64_t, 256> counts;
  std::copy(histogram.begin(), histogram.end(), counts.begin());
  BlockCode code;
  code.limit = limit;
  code_lengths(counts, limit, code.lengths);
  const auto first = std::find_if(code.lengths.begin(), code.lengths.end(), [](uint8_t length) { return length > 0; });
  if (*first == 1 && std::count(code.lengths.begin(), code.lengths.end(), 0) == 255) {
    code.lengths[static_cast<size_t>(first - code.lengths.begin() + 1) % 256] = 1;
  }
  code.bits = code_bits(code, histogram);
  return code;
}

uint64_t code_bits(const BlockCode& code, const Histogram& histogram) {
  uint64_t bits = 0;
  for (size_t s = 0; s < 256; ++s) bits += uint64_t{histogram[s]} * code.lengths[s];
  return bits;
}

size_t block_bound(size_t symbol_count) {
  // What precedes the streams, codes, and what encode_stream() may write beyond.
  return kMaxHeadBytes + symbol_count * kMaxBlockLimit / 8 + kStreams * 2 + 8;
}

size_t encode_block(Bytes symbols, const BlockCode& code, MutableBytes output) {
  std::vector<uint8_t> head{static_cast<uint8_t>(code.limit)};
  write_lengths(code, head);
  const EncodeTable table = make_encode_table(code);
  // What precedes the streams is known when they are written; they move down to its end.
  uint8_t* const streams = output.data() + kMaxHeadBytes;
  uint8_t* p = streams;
  for (size_t i = 0; i < kStreams; ++i) {
    const bool is_last = i + 1 == kStreams;
    const uint8_t* const stream = p;
    const size_t symbols_before = symbols.size();
    p = encode_stream(symbols, table, is_last ? ~uint64_t{0} : code.bits / kStreams, p);
    if (is_last) break;
    append_varint(head, symbols_before - symbols.size());
    append_varint(head, static_cast<uint64_t>(p - stream));
  }
  const size_t stream_bytes = static_cast<size_t>(p - streams);
  std::memcpy(output.data(), head.data(), head.size());
  std::memmove(output.data() + head.size(), streams, stream_bytes);
  return head.size() + stream_bytes;
}

void DecodeTable::build(const BlockCode& code) {
  limit_ = code.limit;
  std::array<uint16_t, 256> codes;
  canonical_codes(code.lengths, codes);
  std::vector<CodedSymbol> symbols;
  unsigned shortest = kMaxBlockLimit;
  for (size_t s = 0; s < 256; ++s) {
    const unsigned length = code.lengths[s];
    if (length == 0) continue;
    shortest = std::min(shortest, length);
    symbols.push_back({codes[s], static_cast<uint8_t>(length), static_cast<uint8_t>(s)});
  }
  // Tables of what up to one, two and three symbols give, for all the lengths that may be left after the symbols before
  // them; those of a length k begin at 2^k.
  const uint64_t* below = nullptr;
  for (unsigned count = 1; count < kMostSymbols; ++count) {
    const unsigned taken = (kMostSymbols - count) * shortest;
    if (taken > limit_) continue;
    std::vector<uint64_t>& level = levels_[count - 1];
    level.assign(size_t{2} << (limit_ - taken), 0);
    for (unsigned k = 0; k <= limit_ - taken; ++k)
      fill_entries(symbols, k, below, level.data() + (size_t{1} << k), false);
    below = level.data();
  }
  entries_.resize(size_t{1} << limit_);
  fill_entries(symbols, limit_, below, entries_.data(), true);
}

Status decode_block(Bytes block, MutableBytes symbols, DecodeTable& table) {
  BlockCode code;
  if (!block.empty()) code.limit = block[0];
  if (block.empty() || code.limit < kMinLimit || code.limit > kMaxBlockLimit) {
    return Status(Code::kCorrupt, "Huffman: limit", 0);
  }
  const size_t lengths_size = read_lengths(block.subspan(1), code);
  if (lengths_size == 0) return Status(Code::kCorrupt, "Huffman: code lengths", 1);
  ByteReader reader(block.subspan(1 + lengths_size));
  struct Size {
    uint64_t symbols;
    uint64_t bytes;
  };
  std::array<Size, kStreams> sizes;
  for (size_t i = 0; i + 1 < kStreams; ++i) {
    sizes[i].symbols = reader.read_varint();
    sizes[i].bytes = reader.read_varint();
  }
  table.build(code);
  std::array<StreamCursor, kStreams> cursors;
  for (size_t i = 0; i < kStreams; ++i) {
    const Size size = i + 1 < kStreams ? sizes[i] : Size{symbols.size(), reader.remaining()};
    const Bytes stream = reader.read(static_cast<size_t>(size.bytes));
    if (!reader.ok() || size.symbols > symbols.size()) {
      return Status(Code::kCorrupt, "Huffman: stream sizes", 1 + lengths_size);
    }
    const MutableBytes target = symbols.first(static_cast<size_t>(size.symbols));
    symbols = symbols.subspan(target.size());
    cursors[i] = {stream.data(), stream.size(), 0, target.data(), target.data() + target.size(), 0};
  }
  decode_streams(cursors, table);
  for (StreamCursor& cursor : cursors) {
    if (!finish_stream(cursor, table)) {
      const uint64_t offset =
          static_cast<uint64_t>(cursor.bytes - block.data()) + std::min(cursor.bit / 8, cursor.size);
      return Status(Code::kCorrupt, "Huffman: stream", offset);
    }
  }
  return {};
}

}  // namespace glyd::huffman

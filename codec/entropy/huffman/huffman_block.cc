#include "codec/entropy/huffman/huffman_block.h"

#include <cstring>

#include "codec/entropy/bit_stream.h"

namespace glyd::huffman {
namespace {

constexpr size_t kStreams = 4;

// Where the symbols of each stream begin, and where the last one ends.
std::array<size_t, kStreams + 1> stream_bounds(size_t symbol_count) {
  const size_t part = (symbol_count + kStreams - 1) / kStreams;
  std::array<size_t, kStreams + 1> bounds;
  for (size_t i = 0; i <= kStreams; ++i) bounds[i] = std::min(i * part, symbol_count);
  return bounds;
}

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

// Writes up to 8 bytes beyond the end it returns.
uint8_t* encode_stream(Bytes symbols, const EncodeTable& table, uint8_t* p) {
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
  size_t i = 0;
  for (; i + 4 <= symbols.size(); i += 4) {
    for (size_t k = 0; k < 4; ++k) put(symbols[i + k]);
    flush();
  }
  for (; i < symbols.size(); ++i) put(symbols[i]);
  flush();
  if (held_bits > 0) *p++ = static_cast<uint8_t>(held);
  return p;
}

// One stream on its way through the decoder. Bits from `bit` on of `bytes` are still to come.
struct StreamCursor {
  const uint8_t* bytes;
  size_t size;
  size_t bit;  // in bytes * 8
  uint8_t* symbols;
  uint8_t* symbols_end;
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

// `count` bursts of each of kCount streams, in turns, so that one does not wait for another.
template <size_t kCount, unsigned kLookups>
void decode_bursts(StreamCursor* cursors, const uint64_t* entries, uint64_t mask, size_t count) {
  std::array<const uint8_t*, kCount> bytes;
  std::array<size_t, kCount> bit;
  std::array<uint8_t*, kCount> to;
  for (size_t s = 0; s < kCount; ++s) {
    bytes[s] = cursors[s].bytes;
    bit[s] = cursors[s].bit;
    to[s] = cursors[s].symbols;
  }
  for (; count > 0; --count) {
    std::array<uint64_t, kCount> bits;
    std::array<uint64_t, kCount> done{};  // bits of the symbols so far in the low byte, their number above
    for (size_t s = 0; s < kCount; ++s) bits[s] = load_le<uint64_t>(bytes[s] + bit[s] / 8) >> (bit[s] % 8);
#pragma GCC unroll 5
    for (unsigned i = 0; i < kLookups; ++i) {
#pragma GCC unroll 4
      for (size_t s = 0; s < kCount; ++s) {
        const uint64_t entry = entries[bits[s] & mask];
        store_le(to[s] + (done[s] >> 8), static_cast<uint32_t>(entry));
        const uint64_t advance = entry >> 32;
        bits[s] >>= advance & 63;
        done[s] += advance;
      }
    }
    for (size_t s = 0; s < kCount; ++s) {
      bit[s] += done[s] & 0xFF;
      to[s] += done[s] >> 8;
    }
  }
  for (size_t s = 0; s < kCount; ++s) {
    cursors[s].bit = bit[s];
    cursors[s].symbols = to[s];
  }
}

// Bursts of kCount streams for as long as all of them have some left.
template <size_t kCount>
void decode_streams(StreamCursor* cursors, const DecodeTable& table) {
  const unsigned limit = table.limit();
  const unsigned lookups = lookups_in_burst(limit);
  const uint64_t mask = (uint64_t{1} << limit) - 1;
  for (;;) {
    size_t bursts = ~size_t{0};
    for (size_t s = 0; s < kCount; ++s) bursts = std::min(bursts, safe_bursts(cursors[s], lookups, limit));
    if (bursts == 0) return;
    if (lookups == 5) {
      decode_bursts<kCount, 5>(cursors, table.entries(), mask, bursts);
    } else {
      decode_bursts<kCount, 4>(cursors, table.entries(), mask, bursts);
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
    std::memcpy(&bits, cursor.bytes + at, std::min<size_t>(8, cursor.size - at));
    const size_t index = bits >> (cursor.bit % 8) & mask;
    *cursor.symbols++ = static_cast<uint8_t>(table.entries()[index]);
    cursor.bit += table.first_bits()[index];
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
  return code;
}

uint64_t code_bits(const BlockCode& code, const Histogram& histogram) {
  uint64_t bits = 0;
  for (size_t s = 0; s < 256; ++s) bits += uint64_t{histogram[s]} * code.lengths[s];
  return bits;
}

size_t block_bound(size_t symbol_count) {
  // Limit, 256 lengths, three sizes, codes, and what encode_stream() may write beyond.
  return 1 + 256 + 3 * kMaxVarintSize + symbol_count * kMaxBlockLimit / 8 + kStreams * 16;
}

size_t encode_block(Bytes symbols, const BlockCode& code, MutableBytes output) {
  std::vector<uint8_t> head{static_cast<uint8_t>(code.limit)};
  write_lengths(code, head);
  const EncodeTable table = make_encode_table(code);
  const std::array<size_t, kStreams + 1> bounds = stream_bounds(symbols.size());
  // The sizes stand before the streams and are known from the lengths alone.
  for (size_t i = 0; i + 1 < kStreams; ++i) {
    size_t bits = 0;
    for (size_t s = bounds[i]; s < bounds[i + 1]; ++s) bits += table[symbols[s]] >> 16;
    append_varint(head, (bits + 7) / 8);
  }
  std::memcpy(output.data(), head.data(), head.size());
  uint8_t* p = output.data() + head.size();
  for (size_t i = 0; i < kStreams; ++i) {
    p = encode_stream(symbols.subspan(bounds[i], bounds[i + 1] - bounds[i]), table, p);
  }
  return static_cast<size_t>(p - output.data());
}

void DecodeTable::build(const BlockCode& code) {
  limit_ = code.limit;
  const size_t size = size_t{1} << limit_;
  entries_.resize(size);
  first_bits_.resize(size);
  std::array<uint8_t, size_t{1} << kMaxBlockLimit> first;
  std::array<uint16_t, 256> codes;
  canonical_codes(code.lengths, codes);
  for (size_t s = 0; s < 256; ++s) {
    const unsigned length = code.lengths[s];
    if (length == 0) continue;
    for (size_t i = codes[s]; i < size; i += size_t{1} << length) {
      first[i] = static_cast<uint8_t>(s);
      first_bits_[i] = static_cast<uint8_t>(length);
    }
  }
  for (size_t i = 0; i < size; ++i) {
    uint64_t symbols = first[i];
    unsigned bits = first_bits_[i];
    unsigned count = 1;
    for (; count < 4; ++count) {
      const size_t rest = i >> bits;
      if (bits + first_bits_[rest] > limit_) break;
      symbols |= uint64_t{first[rest]} << (8 * count);
      bits += first_bits_[rest];
    }
    entries_[i] = symbols | uint64_t{bits} << 32 | uint64_t{count} << 40;
  }
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
  std::array<uint64_t, kStreams> sizes;
  for (size_t i = 0; i + 1 < kStreams; ++i) sizes[i] = reader.read_varint();
  table.build(code);
  const std::array<size_t, kStreams + 1> bounds = stream_bounds(symbols.size());
  std::array<StreamCursor, kStreams> cursors;
  for (size_t i = 0; i < kStreams; ++i) {
    const size_t size = i + 1 < kStreams ? static_cast<size_t>(sizes[i]) : reader.remaining();
    const Bytes stream = reader.read(size);
    if (!reader.ok()) return Status(Code::kCorrupt, "Huffman: stream sizes", 1 + lengths_size);
    cursors[i] = {stream.data(), stream.size(), 0, symbols.data() + bounds[i], symbols.data() + bounds[i + 1]};
  }
  decode_streams<kStreams>(cursors.data(), table);
  for (StreamCursor& cursor : cursors) {
    decode_streams<1>(&cursor, table);
    if (!finish_stream(cursor, table)) {
      const uint64_t offset =
          static_cast<uint64_t>(cursor.bytes - block.data()) + std::min(cursor.bit / 8, cursor.size);
      return Status(Code::kCorrupt, "Huffman: stream", offset);
    }
  }
  return {};
}

}  // namespace glyd::huffman

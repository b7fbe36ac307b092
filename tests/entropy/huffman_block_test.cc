#include "codec/entropy/huffman/huffman_block.h"

#include <gtest/gtest.h>

#include "tests/entropy/symbol_inputs.h"

namespace glyd::huffman {
namespace {

using testing::NamedInput;
using testing::Random;

std::vector<uint8_t> encode(Bytes symbols, unsigned limit) {
  std::vector<uint8_t> block(block_bound(symbols.size()));
  block.resize(encode_block(symbols, make_code(count_symbols(symbols), limit), block));
  return block;
}

// The decoder of spec.md, one bit at a time.
std::vector<uint8_t> decode_as_specified(Bytes block, size_t count) {
  size_t at = 1;
  unsigned nibble = 0;
  const auto next_nibble = [&] {
    const unsigned value = block[at] >> (4 * nibble) & 15;
    nibble ^= 1;
    at += nibble == 0 ? 1 : 0;
    return value;
  };
  std::array<uint8_t, 256> lengths{};
  double sum = 0;
  for (size_t symbol = 0; sum < 1; ++symbol) {
    lengths[symbol] = static_cast<uint8_t>(next_nibble());
    if (lengths[symbol] > 0) {
      sum += 1.0 / (1 << lengths[symbol]);
      continue;
    }
    unsigned run;
    do {
      run = next_nibble();
      symbol += run;
    } while (run == 15);
  }
  at += nibble;
  // Codes in their order, as strings of '0' and '1'.
  std::vector<std::string> codes(256);
  uint32_t code = 0;
  for (unsigned length = 1; length <= 15; ++length, code <<= 1) {
    for (size_t symbol = 0; symbol < 256; ++symbol) {
      if (lengths[symbol] != length) continue;
      for (unsigned bit = length; bit-- > 0;) codes[symbol] += (code >> bit & 1) != 0 ? '1' : '0';
      ++code;
    }
  }
  ByteReader reader(block.subspan(at));
  std::array<Bytes, 8> streams;
  std::array<size_t, 8> counts{};
  std::array<size_t, 7> sizes;
  size_t left = count;
  for (size_t i = 0; i < 7; ++i) {
    counts[i] = static_cast<size_t>(reader.read_varint());
    sizes[i] = static_cast<size_t>(reader.read_varint());
    left -= counts[i];
  }
  counts[7] = left;
  for (size_t i = 0; i < 7; ++i) streams[i] = reader.read(sizes[i]);
  streams[7] = reader.read(reader.remaining());
  std::vector<uint8_t> symbols;
  for (size_t stream = 0; stream < 8; ++stream) {
    const size_t end = symbols.size() + counts[stream];
    std::string read;
    for (size_t bit = 0; symbols.size() < end; ++bit) {
      read += (streams[stream][bit / 8] >> (bit % 8) & 1) != 0 ? '1' : '0';
      const auto found = std::find(codes.begin(), codes.end(), read);
      if (found == codes.end()) continue;
      symbols.push_back(static_cast<uint8_t>(found - codes.begin()));
      read.clear();
    }
  }
  return symbols;
}

TEST(HuffmanBlock, RoundTripsEverything) {
  DecodeTable table;
  for (const NamedInput& input : testing::symbol_inputs()) {
    for (unsigned limit = 8; limit <= kMaxBlockLimit; ++limit) {
      const std::vector<uint8_t> block = encode(input.bytes, limit);
      std::vector<uint8_t> decoded(input.bytes.size());
      const Status status = decode_block(block, decoded, table);
      ASSERT_TRUE(status.ok()) << input.name << ": " << status.text();
      ASSERT_EQ(decoded, input.bytes) << input.name << ", limit " << limit;
    }
  }
}

TEST(HuffmanBlock, SmallAlphabetsTakeSmallLimits) {
  DecodeTable table;
  for (unsigned limit = kMinLimit; limit < 8; ++limit) {
    const std::vector<uint8_t> symbols = testing::exponent_like(5000, limit);
    std::vector<uint8_t> folded(symbols);
    for (uint8_t& symbol : folded) symbol &= 15;
    std::vector<uint8_t> decoded(folded.size());
    EXPECT_TRUE(decode_block(encode(folded, limit), decoded, table).ok());
    EXPECT_EQ(decoded, folded);
  }
}

TEST(HuffmanBlock, IsAsSpecified) {
  for (const NamedInput& input : testing::symbol_inputs()) {
    if (input.bytes.size() > 5000) continue;
    EXPECT_EQ(decode_as_specified(encode(input.bytes, kBlockLimit), input.bytes.size()), input.bytes) << input.name;
  }
}

TEST(HuffmanBlock, BytesOfAnExample) {
  // Lengths 1, 2, 2: a = 0, b = 10, c = 11, first bit first.
  const std::string_view text = "aaaaaaaabaabacaa";
  const std::vector<uint8_t> symbols(text.begin(), text.end());
  const std::vector<uint8_t> expected = {
      11,                                                          // limit
      0xF0, 0xFF, 0xFF, 0x6F, 0x21, 0x02,                          // one 0 and 96 more, 'a' being 97; then 1, 2, 2
      0,    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0,  // 19 bits are not cut
      0x00, 0x91, 0x01,
  };
  EXPECT_EQ(encode(symbols, 11), expected);
  EXPECT_EQ(decode_as_specified(expected, symbols.size()), symbols);
}

TEST(HuffmanBlock, SizeIsWhatTheCodeSays) {
  for (const NamedInput& input : testing::symbol_inputs()) {
    const Histogram histogram = count_symbols(input.bytes);
    const uint64_t bits = code_bits(make_code(histogram, kBlockLimit), histogram);
    EXPECT_LE(encode(input.bytes, kBlockLimit).size(), bits / 8 + 1 + 200 + 42 + 8) << input.name;
    EXPECT_GE(static_cast<double>(bits) + 1e-6, entropy_bits(histogram)) << input.name;
  }
}

// Any change gives an error or other bytes, and never touches what is not the caller's (sanitizers watch).
TEST(HuffmanBlock, DamageIsAnErrorOrOtherBytes) {
  DecodeTable table;
  Random random(9);
  for (const NamedInput& input : testing::symbol_inputs()) {
    const std::vector<uint8_t> block = encode(input.bytes, kBlockLimit);
    std::vector<uint8_t> decoded(input.bytes.size());
    for (size_t cut = 0; cut < block.size(); cut += 1 + cut / 8) {
      EXPECT_FALSE(decode_block(Bytes(block).first(cut), decoded, table).ok()) << input.name << " cut at " << cut;
    }
    std::vector<uint8_t> longer = block;
    longer.push_back(0);
    EXPECT_FALSE(decode_block(longer, decoded, table).ok()) << input.name << " with one more byte";
    for (int round = 0; round < 40; ++round) {
      std::vector<uint8_t> damaged = block;
      const size_t at = round < 20 ? random.below(std::min<size_t>(damaged.size(), 80)) : random.below(damaged.size());
      damaged[at] ^= static_cast<uint8_t>(1u << random.below(8));
      const Status status = decode_block(damaged, decoded, table);
      // What changes nothing but the limit, or the code of a symbol that does not occur, is no damage.
      if (status.ok()) continue;
      EXPECT_EQ(status.code(), Code::kCorrupt);
      EXPECT_TRUE(status.has_offset());
    }
  }
}

// The decoder stores more than the symbols it has found, but never beyond the room for them.
TEST(HuffmanBlock, NothingIsWrittenBehindTheSymbols) {
  DecodeTable table;
  for (const NamedInput& input : testing::symbol_inputs()) {
    std::vector<uint8_t> room(input.bytes.size() + 64, 0xA5);
    const MutableBytes symbols = MutableBytes(room).first(input.bytes.size());
    ASSERT_TRUE(decode_block(encode(input.bytes, kBlockLimit), symbols, table).ok()) << input.name;
    EXPECT_EQ(std::count(room.end() - 64, room.end(), 0xA5), 64) << input.name;
  }
}

TEST(HuffmanBlock, RandomBytesNeverCrash) {
  DecodeTable table;
  Random random(10);
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> block = testing::random_bytes(random.below(80), random.next());
    if (!block.empty()) block[0] = static_cast<uint8_t>(kMinLimit + random.below(10));
    std::vector<uint8_t> decoded(random.below(200));
    (void)decode_block(block, decoded, table);
  }
}

}  // namespace
}  // namespace glyd::huffman

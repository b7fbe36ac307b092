#include "codec/entropy/rans/rans_block.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/entropy/symbol_inputs.h"

namespace glyd::rans {
namespace {

using testing::NamedInput;
using testing::Random;

std::vector<uint8_t> encode(Bytes symbols, unsigned ways, unsigned bits,
                            Implementation implementation = best_implementation()) {
  std::vector<uint8_t> block(block_bound(symbols.size()));
  block.resize(encode_block(symbols, normalise(count_symbols(symbols), bits), ways, block, implementation));
  return block;
}

// The decoder of spec.md, word by word.
std::vector<uint8_t> decode_as_specified(Bytes block, size_t count) {
  const unsigned ways = 8u << (block[0] & 3);
  const unsigned bits = 12 + (block[0] >> 2 & 3);
  const unsigned order = block[0] >> 4;
  size_t bit = 8;
  const auto read = [&](unsigned size) {
    uint32_t value = 0;
    for (unsigned i = 0; i < size; ++i, ++bit) value |= (block[bit / 8] >> (bit % 8) & 1u) << i;
    return value;
  };
  const auto golomb = [&](unsigned k) {
    unsigned zeros = 0;
    while (read(1) == 0) ++zeros;
    const uint32_t x = read(zeros);
    const uint32_t y = read(k);
    return (((1u << zeros) + x - 1) << k) + y;
  };
  std::array<uint32_t, 256> counts{};
  uint32_t sum = 0;
  for (size_t symbol = 0; sum < 1u << bits; ++symbol) {
    counts[symbol] = golomb(order);
    sum += counts[symbol];
    if (counts[symbol] == 0) symbol += golomb(0);
  }
  size_t at = (bit + 7) / 8;
  std::vector<uint32_t> states(ways);
  for (uint32_t& x : states) x = load_le<uint32_t>(&block[at]), at += 4;
  std::vector<uint8_t> symbols;
  for (size_t i = 0; i < count; ++i) {
    uint32_t& x = states[i % ways];
    const uint32_t slot = x % (1u << bits);
    uint32_t first = 0;
    size_t s = 0;
    while (slot >= first + counts[s]) first += counts[s++];
    symbols.push_back(static_cast<uint8_t>(s));
    x = counts[s] * (x >> bits) + slot - first;
    if (x < 65536) x = x * 65536 + load_le<uint16_t>(&block[at]), at += 2;
  }
  for (const uint32_t x : states) EXPECT_EQ(x, 65536u);
  EXPECT_EQ(at, block.size());
  return symbols;
}

TEST(Normalise, AddsUpAndKeepsEverySymbol) {
  for (const NamedInput& input : testing::symbol_inputs()) {
    const Histogram histogram = count_symbols(input.bytes);
    for (unsigned bits = kMinProbabilityBits; bits <= kMaxProbabilityBits; ++bits) {
      const Model model = normalise(histogram, bits);
      uint32_t sum = 0;
      for (size_t s = 0; s < 256; ++s) {
        EXPECT_EQ(histogram[s] > 0 && model.counts[s] == 0, false) << input.name;
        EXPECT_LT(model.counts[s], 1u << bits) << input.name;
        sum += model.counts[s];
      }
      EXPECT_EQ(sum, 1u << bits) << input.name;
    }
  }
}

TEST(Normalise, CostsLittle) {
  const std::vector<uint8_t> symbols = testing::exponent_like(100000, 1);
  const Histogram histogram = count_symbols(symbols);
  const Model model = normalise(histogram, 12);
  double bits = 0;
  for (size_t s = 0; s < 256; ++s) {
    if (histogram[s] > 0) bits += histogram[s] * (12 - std::log2(model.counts[s]));
  }
  EXPECT_LT(bits - entropy_bits(histogram), 0.002 * static_cast<double>(symbols.size()));
}

TEST(Table, RoundTripsAndRefusesTheRest) {
  Random random(3);
  for (const NamedInput& input : testing::symbol_inputs()) {
    const Model model = normalise(count_symbols(input.bytes), 13);
    PackedTable table = pack_table(model);
    Model read;
    read.bits = 13;
    EXPECT_EQ(unpack_table(table.bytes, table.order, read), table.bytes.size()) << input.name;
    EXPECT_EQ(read.counts, model.counts) << input.name;
    for (size_t cut = 0; cut < table.bytes.size(); ++cut) {
      EXPECT_EQ(unpack_table(Bytes(table.bytes).first(cut), table.order, read), 0u) << input.name;
    }
    for (int round = 0; round < 50; ++round) {
      std::vector<uint8_t> damaged = table.bytes;
      damaged[random.below(damaged.size())] ^= static_cast<uint8_t>(1u << random.below(8));
      if (unpack_table(damaged, table.order, read) == 0) continue;
      uint32_t sum = 0;
      for (const uint16_t count : read.counts) sum += count;
      EXPECT_EQ(sum, 1u << 13);
    }
  }
}

TEST(RansBlock, EveryImplementationWritesAndReadsTheSame) {
  DecodeTable table;
  for (const NamedInput& input : testing::symbol_inputs()) {
    for (const unsigned ways : {8u, 16u, 32u}) {
      for (unsigned bits = kMinProbabilityBits; bits <= kMaxProbabilityBits; ++bits) {
        const std::vector<uint8_t> block = encode(input.bytes, ways, bits, Implementation::kScalar);
        for (const Implementation implementation : implementations()) {
          const std::string name = input.name + ", " + implementation_name(implementation) + ", " +
                                   std::to_string(ways) + " ways, " + std::to_string(bits) + " bits";
          ASSERT_EQ(encode(input.bytes, ways, bits, implementation), block) << name;
          std::vector<uint8_t> decoded(input.bytes.size());
          const Status status = decode_block(block, decoded, table, implementation);
          ASSERT_TRUE(status.ok()) << name << ": " << status.text();
          ASSERT_EQ(decoded, input.bytes) << name;
        }
      }
    }
  }
}

TEST(RansBlock, IsAsSpecified) {
  for (const NamedInput& input : testing::symbol_inputs()) {
    if (input.bytes.size() > 5000) continue;
    const unsigned ways = choose_ways(input.bytes.size());
    EXPECT_EQ(decode_as_specified(encode(input.bytes, ways, 12), input.bytes.size()), input.bytes) << input.name;
    EXPECT_EQ(decode_as_specified(encode(input.bytes, 8, 14), input.bytes.size()), input.bytes) << input.name;
  }
}

TEST(RansBlock, ComesCloseToTheEntropy) {
  const std::vector<uint8_t> symbols = testing::exponent_like(131072, 4);
  const double floor = entropy_bits(count_symbols(symbols)) / 8;
  EXPECT_LT(static_cast<double>(encode(symbols, 32, 12).size()), floor + 0.01 * 131072 / 8 + 64);
}

TEST(RansBlock, DamageIsAnErrorOrOtherBytes) {
  DecodeTable table;
  Random random(9);
  for (const NamedInput& input : testing::symbol_inputs()) {
    const std::vector<uint8_t> block = encode(input.bytes, choose_ways(input.bytes.size()), 12);
    std::vector<uint8_t> first(input.bytes.size());
    std::vector<uint8_t> other(input.bytes.size());
    const auto decode_by_all = [&](Bytes bytes) {
      const Status status = decode_block(bytes, first, table, Implementation::kScalar);
      for (const Implementation implementation : implementations()) {
        const Status again = decode_block(bytes, other, table, implementation);
        EXPECT_EQ(again.code(), status.code()) << input.name << ", " << implementation_name(implementation);
        EXPECT_TRUE(!again.ok() || other == first) << input.name;
      }
      return status;
    };
    for (size_t cut = 0; cut < block.size(); cut += 1 + cut / 8) {
      EXPECT_EQ(decode_by_all(Bytes(block).first(cut)).code(), Code::kCorrupt) << input.name << " cut at " << cut;
    }
    std::vector<uint8_t> longer = block;
    longer.insert(longer.end(), 2, 0);
    EXPECT_EQ(decode_by_all(longer).code(), Code::kCorrupt) << input.name << " with one more word";
    for (int round = 0; round < 30; ++round) {
      std::vector<uint8_t> damaged = block;
      damaged[random.below(round < 15 ? std::min<size_t>(damaged.size(), 60) : damaged.size())] ^=
          static_cast<uint8_t>(1u << random.below(8));
      // A flip in a state or word cannot come out even, but one in the table may give another block.
      const Status status = decode_by_all(damaged);
      EXPECT_TRUE(status.ok() || status.has_offset());
    }
  }
}

TEST(RansBlock, RandomBytesNeverCrash) {
  DecodeTable table;
  Random random(10);
  for (int round = 0; round < 20000; ++round) {
    const std::vector<uint8_t> block = testing::random_bytes(random.below(300), random.next());
    std::vector<uint8_t> decoded(random.below(300));
    for (const Implementation implementation : implementations()) {
      (void)decode_block(block, decoded, table, implementation);
    }
  }
}

}  // namespace
}  // namespace glyd::rans

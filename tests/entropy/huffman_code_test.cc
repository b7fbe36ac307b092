#include "codec/entropy/huffman/huffman_code.h"

#include <gtest/gtest.h>

#include <queue>

#include "tests/entropy/symbol_inputs.h"

namespace glyd::huffman {
namespace {

using testing::Random;

uint64_t cost(std::span<const uint64_t> counts, std::span<const uint8_t> lengths) {
  uint64_t bits = 0;
  for (size_t i = 0; i < counts.size(); ++i) bits += counts[i] * lengths[i];
  return bits;
}

// The cost of the best code without a limit: the sum of all inner nodes' weights.
uint64_t unlimited_cost(std::span<const uint64_t> counts) {
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> queue;
  for (const uint64_t count : counts) {
    if (count > 0) queue.push(count);
  }
  uint64_t bits = 0;
  while (queue.size() > 1) {
    const uint64_t a = queue.top();
    queue.pop();
    const uint64_t b = queue.top();
    queue.pop();
    bits += a + b;
    queue.push(a + b);
  }
  return bits;
}

// The least cost with a limit, by trying all lengths in descending order of counts (which some best code has).
uint64_t least_cost(std::span<const uint64_t> descending, unsigned limit, uint32_t room, unsigned shortest) {
  if (descending.empty()) return 0;
  uint64_t best = ~uint64_t{0};
  for (unsigned length = shortest; length <= limit; ++length) {
    const uint32_t share = (1u << limit) >> length;
    // The rest has to fit, at least with the longest codes.
    if (share + descending.size() - 1 > room) continue;
    const uint64_t rest = least_cost(descending.subspan(1), limit, room - share, length);
    if (rest != ~uint64_t{0}) best = std::min(best, descending[0] * length + rest);
  }
  return best;
}

std::vector<uint64_t> random_counts(Random& random, size_t size) {
  std::vector<uint64_t> counts(size);
  for (uint64_t& count : counts) count = random.below(4) == 0 ? 0 : uint64_t{1} << random.below(30);
  return counts;
}

TEST(CodeLengths, AreTheBestUnderEachLimit) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<uint64_t> counts(2 + random.below(7));
    for (uint64_t& count : counts) count = 1 + random.below(uint64_t{1} << random.below(20));
    std::sort(counts.rbegin(), counts.rend());
    for (unsigned limit = kMinLimit; limit <= 6; ++limit) {
      std::vector<uint8_t> lengths(counts.size());
      ASSERT_TRUE(code_lengths(counts, limit, lengths));
      EXPECT_EQ(cost(counts, lengths), least_cost(counts, limit, 1u << limit, 1)) << "limit " << limit;
    }
  }
}

TEST(CodeLengths, AreHuffmansWhenTheLimitIsNoLimit) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<uint64_t> counts(1 + random.below(kMaxSymbols));
    for (uint64_t& count : counts) count = 1 + random.below(100);
    std::vector<uint8_t> lengths(counts.size());
    ASSERT_TRUE(code_lengths(counts, kMaxLimit, lengths));
    if (counts.size() > 1) {
      EXPECT_EQ(cost(counts, lengths), unlimited_cost(counts));
    }
  }
}

TEST(CodeLengths, MakeCompletePrefixCodes) {
  Random random(3);
  for (int round = 0; round < 1000; ++round) {
    const std::vector<uint64_t> counts = random_counts(random, 1 + random.below(kMaxSymbols));
    const unsigned limit = kMinLimit + static_cast<unsigned>(random.below(kMaxLimit - kMinLimit + 1));
    const size_t occurring = counts.size() - static_cast<size_t>(std::count(counts.begin(), counts.end(), 0));
    std::vector<uint8_t> lengths(counts.size());
    ASSERT_EQ(code_lengths(counts, limit, lengths), occurring <= size_t{1} << limit);
    if (occurring > size_t{1} << limit || occurring == 0) continue;
    EXPECT_TRUE(is_complete(lengths));
    for (size_t i = 0; i < counts.size(); ++i) {
      EXPECT_EQ(lengths[i] > 0, counts[i] > 0);
      EXPECT_LE(lengths[i], limit);
    }
    std::vector<uint16_t> codes(counts.size());
    canonical_codes(lengths, codes);
    for (size_t i = 0; i < counts.size(); ++i) {
      for (size_t j = 0; j < counts.size(); ++j) {
        if (i == j || lengths[i] == 0 || lengths[j] < lengths[i]) continue;
        ASSERT_NE(codes[j] & ((1u << lengths[i]) - 1), codes[i]) << i << " begins " << j;
      }
    }
  }
}

TEST(CanonicalCodes, GoByLengthThenSymbol) {
  // Lengths 2, 1, 3, 3: codes 10, 0, 110, 111, written first bit first.
  const std::array<uint8_t, 4> lengths = {2, 1, 3, 3};
  std::array<uint16_t, 4> codes;
  canonical_codes(lengths, codes);
  EXPECT_EQ(codes, (std::array<uint16_t, 4>{0b01, 0b0, 0b011, 0b111}));
}

TEST(IsComplete, RefusesGapsAndOverlaps) {
  EXPECT_TRUE(is_complete(std::array<uint8_t, 3>{1, 2, 2}));
  EXPECT_TRUE(is_complete(std::array<uint8_t, 3>{0, 1, 0}));
  EXPECT_FALSE(is_complete(std::array<uint8_t, 3>{0, 2, 0}));
  EXPECT_FALSE(is_complete(std::array<uint8_t, 3>{1, 2, 3}));
  EXPECT_FALSE(is_complete(std::array<uint8_t, 3>{1, 1, 2}));
  EXPECT_FALSE(is_complete(std::array<uint8_t, 3>{1, 2, 16}));
  EXPECT_FALSE(is_complete(std::array<uint8_t, 2>{0, 0}));
}

TEST(EscapedCode, IsNoLongerThanCodingEverythingOrNothing) {
  for (const testing::NamedInput& input : testing::symbol_inputs()) {
    const Histogram histogram = count_symbols(input.bytes);
    for (const unsigned limit : {4u, 6u, 8u, 12u}) {
      const EscapedCode code = escaped_code(histogram, limit, 32);
      uint64_t escapes = 0;
      uint64_t bits = 0;
      for (size_t s = 0; s < 256; ++s) {
        if (code.lengths[s] == 0) escapes += histogram[s];
        bits += uint64_t{histogram[s]} * (code.lengths[s] > 0 ? code.lengths[s] : code.lengths[kEscape] + 32u);
      }
      EXPECT_EQ(code.escapes, escapes) << input.name;
      EXPECT_EQ(code.bits, bits) << input.name;
      EXPECT_TRUE(is_complete(code.lengths)) << input.name;
      EXPECT_GT(code.lengths[kEscape], 0) << input.name;
      EXPECT_LE(code.bits, input.bytes.size() * (limit + 33)) << input.name;
    }
  }
}

}  // namespace
}  // namespace glyd::huffman

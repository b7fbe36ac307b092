#include "codec/entropy/huffman/huffman_code.h"

#include <algorithm>
#include <vector>

namespace glyd::huffman {
namespace {

struct Leaf {
  uint64_t count;
  uint16_t symbol;
};

// One row of package-merge: leaves and pairs of the row before, by weight; a leaf before a pair of the same weight.
struct Row {
  std::vector<uint64_t> weights;
  std::vector<bool> is_leaf;
};

Row merge_row(const std::vector<Leaf>& leaves, const Row& before) {
  Row row;
  const size_t pairs = before.weights.size() / 2;
  size_t leaf = 0;
  size_t pair = 0;
  while (leaf < leaves.size() || pair < pairs) {
    const uint64_t pair_weight = pair < pairs ? before.weights[2 * pair] + before.weights[2 * pair + 1] : ~uint64_t{0};
    const bool take_leaf = leaf < leaves.size() && leaves[leaf].count <= pair_weight;
    row.weights.push_back(take_leaf ? leaves[leaf].count : pair_weight);
    row.is_leaf.push_back(take_leaf);
    ++(take_leaf ? leaf : pair);
  }
  return row;
}

uint16_t reversed(uint32_t code, unsigned length) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < length; ++bit) result |= (code >> bit & 1) << (length - 1 - bit);
  return static_cast<uint16_t>(result);
}

}  // namespace

bool code_lengths(std::span<const uint64_t> counts, unsigned limit, std::span<uint8_t> lengths) {
  std::fill(lengths.begin(), lengths.end(), uint8_t{0});
  std::vector<Leaf> leaves;
  for (size_t symbol = 0; symbol < counts.size(); ++symbol) {
    if (counts[symbol] > 0) leaves.push_back({counts[symbol], static_cast<uint16_t>(symbol)});
  }
  if (leaves.size() > size_t{1} << limit) return false;
  if (leaves.size() <= 1) {
    for (const Leaf& leaf : leaves) lengths[leaf.symbol] = 1;
    return true;
  }
  std::stable_sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) { return a.count < b.count; });
  std::vector<Row> rows(1);
  for (unsigned level = 0; level < limit; ++level) rows.push_back(merge_row(leaves, rows.back()));
  // A leaf's length is the number of rows in which it is taken: of the last row the first 2n - 2 items, of each row
  // before it the items that make up the pairs taken.
  size_t taken = 2 * leaves.size() - 2;
  for (unsigned level = limit; level > 0; --level) {
    size_t taken_leaves = 0;
    for (size_t i = 0; i < taken; ++i) taken_leaves += rows[level].is_leaf[i];
    for (size_t i = 0; i < taken_leaves; ++i) ++lengths[leaves[i].symbol];
    taken = 2 * (taken - taken_leaves);
  }
  return true;
}

bool is_complete(std::span<const uint8_t> lengths) {
  uint32_t sum = 0;
  size_t symbols = 0;
  for (const uint8_t length : lengths) {
    if (length == 0) continue;
    if (length > kMaxLimit) return false;
    sum += (1u << kMaxLimit) >> length;
    ++symbols;
  }
  return symbols == 1 ? sum == (1u << kMaxLimit) / 2 : sum == 1u << kMaxLimit;
}

void canonical_codes(std::span<const uint8_t> lengths, std::span<uint16_t> codes) {
  std::array<uint32_t, kMaxLimit + 2> next{};
  for (const uint8_t length : lengths) {
    if (length > 0) ++next[length + 1u];
  }
  for (size_t length = 1; length < next.size(); ++length) next[length] = (next[length] + next[length - 1]) << 1;
  for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    const unsigned length = lengths[symbol];
    codes[symbol] = length == 0 ? uint16_t{0} : reversed(next[length]++, length);
  }
}

EscapedCode escaped_code(const Histogram& histogram, unsigned limit, unsigned escape_bits) {
  std::vector<Leaf> order;
  uint64_t total = 0;
  for (size_t symbol = 0; symbol < histogram.size(); ++symbol) {
    total += histogram[symbol];
    if (histogram[symbol] > 0) order.push_back({histogram[symbol], static_cast<uint16_t>(symbol)});
  }
  std::stable_sort(order.begin(), order.end(), [](const Leaf& a, const Leaf& b) { return a.count > b.count; });
  EscapedCode best;
  best.bits = ~uint64_t{0};
  std::array<uint64_t, kMaxSymbols> counts{};
  uint64_t coded = 0;
  const size_t most = std::min(order.size(), (size_t{1} << limit) - 1);
  for (size_t size = 1; size <= most; ++size) {
    coded += order[size - 1].count;
    counts[order[size - 1].symbol] = order[size - 1].count;
    counts[kEscape] = std::max<uint64_t>(total - coded, 1);
    EscapedCode candidate;
    if (!code_lengths(counts, limit, candidate.lengths)) break;
    candidate.escapes = total - coded;
    candidate.bits = candidate.escapes * (escape_bits + candidate.lengths[kEscape]);
    for (size_t i = 0; i < size; ++i) candidate.bits += order[i].count * candidate.lengths[order[i].symbol];
    if (candidate.bits < best.bits) best = candidate;
  }
  return best;
}

}  // namespace glyd::huffman

#include "codec/entropy/weights/code_table.h"

#include "codec/entropy/weights/lane_decode.h"

namespace glyd::weights {

std::vector<uint16_t> make_code_table(const CodeLengths& lengths, uint32_t code_limit) {
  std::array<uint16_t, huffman::kMaxSymbols> codes{};
  huffman::canonical_codes(lengths, codes);
  std::vector<uint16_t> table(size_t{1} << code_limit);
  for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    const uint32_t length = lengths[symbol];
    if (length == 0) continue;
    const uint32_t value = symbol == huffman::kEscape ? kEntryEscape : static_cast<uint32_t>(symbol) << 7;
    for (size_t index = codes[symbol]; index < table.size(); index += size_t{1} << length) {
      table[index] = static_cast<uint16_t>(value | length);
    }
  }
  return table;
}

Result<CodeLengths> read_code_table(std::span<const uint16_t> table, uint32_t code_limit) {
  CodeLengths lengths{};
  for (const uint16_t entry : table) {
    const uint32_t length = entry & kEntryLength;
    if (length == 0 || length > code_limit) return Status(Code::kCorrupt, "length in a code table");
    const size_t symbol = entry & kEntryEscape ? huffman::kEscape : (entry & kEntryExponent) >> 7;
    lengths[symbol] = static_cast<uint8_t>(length);
  }
  // Whatever else may be wrong with the entries shows when the table is made again from the lengths found.
  if (lengths[huffman::kEscape] == 0 || !huffman::is_complete(lengths) ||
      !std::ranges::equal(make_code_table(lengths, code_limit), table)) {
    return Status(Code::kCorrupt, "code table that is not canonical");
  }
  return lengths;
}

std::vector<uint32_t> make_pair_table(std::span<const uint16_t> table, uint32_t code_limit) {
  std::vector<uint32_t> pairs(size_t{1} << 2 * code_limit);
  for (size_t index = 0; index < pairs.size(); ++index) {
    pairs[index] = pair_entry(table.data(), code_limit, static_cast<uint32_t>(index));
  }
  return pairs;
}

}  // namespace glyd::weights

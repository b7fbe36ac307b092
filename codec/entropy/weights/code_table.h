#pragma once

#include <array>
#include <vector>

#include "codec/base/bytes.h"
#include "codec/entropy/huffman/huffman_code.h"

// The exponent code of the `dense` layout: lengths, code words, and the two tables that decode them (spec.md).
namespace glyd::weights {

using CodeLengths = std::array<uint8_t, huffman::kMaxSymbols>;

// The table as it is stored, u16[2^code_limit], from lengths. Preconditions: complete, with a length for the escape, at
// least two symbols, none longer than code_limit.
std::vector<uint16_t> make_code_table(const CodeLengths& lengths, uint32_t code_limit);

// The lengths whose table this is. Errors: kCorrupt if there are none (no offset).
Result<CodeLengths> read_code_table(std::span<const uint16_t> table, uint32_t code_limit);

// u32[4^code_limit]; entries as pair_entry() in lane_decode.h makes them. Precondition: the table is one of the above.
std::vector<uint32_t> make_pair_table(std::span<const uint16_t> table, uint32_t code_limit);

}  // namespace glyd::weights

#pragma once

#include <array>
#include <cstdint>

#include "codec/base/bytes.h"
#include "codec/entropy/huffman/huffman_code.h"

// What a matrix of bf16 weights looks like to the layouts of spec.md, found in one pass and without packing it: for the
// packer, and for who has to choose a layout.
namespace glyd::weights {

// Eight consecutive exponents, on an even one after the shift, that `fast` codes without a patch.
struct ExponentWindow {
  uint32_t base = 0;     // window_base
  uint32_t shift = 0;    // exponent_shift
  uint64_t outside = 0;  // weights that need a patch
};

struct WeightSurvey {
  uint64_t weights = 0;
  std::array<uint64_t, 256> exponents{};  // how many weights have each
  uint64_t subnormals = 0;                // weights with exponent 0 that are not zero
};

// Counts `matrix`, little-endian bf16 in any order. Precondition: its size is a multiple of 2.
WeightSurvey survey_weights(Bytes matrix);

// The window that leaves the fewest weights outside; of equal ones the unshifted and lowest. Shifted ones are considered
// only if no weight would change its meaning in a product (spec.md, "fast").
ExponentWindow best_window(const WeightSurvey& survey);

// The code of `dense` with lengths up to `code_limit`, its escapes at 32 bits. `escapes` and `bits` are of the survey's
// weights (when there are 2^32 or more: of their scaled counts). Preconditions: at least one weight; the limit is one of
// spec.md.
huffman::EscapedCode exponent_code(const WeightSurvey& survey, uint32_t code_limit);

// Bits a weight that a layout is going to take, without header, directory and padding: 0.03 to 0.15 bits more in the
// end. Precondition: at least one weight.
double expected_fast_bits(const WeightSurvey& survey);
double expected_dense_bits(const WeightSurvey& survey, uint32_t code_limit);

}  // namespace glyd::weights

#pragma once

#include <vector>

#include "tests/adversarial_inputs.h"

namespace glyd::testing {

// Inputs for entropy coders, none of them empty: the adversarial ones, alphabets of every size, skewed shares down to one symbol
// in 100,000, and lengths about the numbers of ways and streams.
std::vector<NamedInput> symbol_inputs();

// Bytes like the exponents of Gaussian weights: 2.5 bits each.
std::vector<uint8_t> exponent_like(size_t size, uint64_t seed);

}  // namespace glyd::testing

#pragma once

#include <array>
#include <cstdint>

#include "codec/base/bytes.h"

namespace glyd {

// How often each byte value occurs. 32 bits: what is counted is below 4 GiB.
using Histogram = std::array<uint32_t, 256>;

// Counts `symbols`. Precondition: fewer than 2^32 of them.
Histogram count_symbols(Bytes symbols);

// Shannon's bound: the least number of bits, over all symbols together, that a code which knows nothing but the
// histogram can take (Shannon 1948).
double entropy_bits(const Histogram& histogram);

}  // namespace glyd

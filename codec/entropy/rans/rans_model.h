#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/entropy/histogram.h"

// The model of a rANS block: counts scaled to a sum of 2^bits, and how they stand in the block (spec.md, "Table").
namespace glyd::rans {

inline constexpr unsigned kMinProbabilityBits = 12;
inline constexpr unsigned kMaxProbabilityBits = 14;

struct Model {
  unsigned bits = kMinProbabilityBits;
  std::array<uint16_t, 256> counts{};  // sum 2^bits, none of them 2^bits
};

// Scales `histogram` to a sum of 2^bits so that every symbol that occurs has a count of at least 1 and the code is about
// as short as it can be. When only one symbol occurs, its neighbour gets a count of 1. Integer arithmetic only: the result
// is the same everywhere. Preconditions: at least one symbol occurs; bits is in range.
Model normalise(const Histogram& histogram, unsigned bits);

// The table in its shortest form: order of the Golomb code and bytes.
struct PackedTable {
  unsigned order = 0;
  std::vector<uint8_t> bytes;
};
PackedTable pack_table(const Model& model);

// Reads a table from the start of `bytes`; fills model.counts for model.bits and order. Returns the bytes it took, or 0
// when it is damaged or cut off.
size_t unpack_table(Bytes bytes, unsigned order, Model& model);

}  // namespace glyd::rans

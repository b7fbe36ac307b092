#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/bytes.h"
#include "codec/base/status.h"
#include "codec/entropy/rans/rans_model.h"

// Bytes to a rANS block and back; spec.md has its bytes. Several interleaved states ("ways") are coded at once, by SIMD
// where the processor has it. All implementations read and write the same bytes.
namespace glyd::rans {

enum class Implementation { kScalar, kAvx2, kNeon };
const char* implementation_name(Implementation implementation);
// Those that this build has and this processor can run, the slowest first.
std::span<const Implementation> implementations();
// What encode_block() and decode_block() use when they are not told: the last of implementations().
Implementation best_implementation();

// The number of states, 8, 16 or 32: more are faster and take 4 bytes each.
unsigned choose_ways(size_t symbol_count);

// The most bytes that a block of that many symbols takes.
size_t block_bound(size_t symbol_count);

// Encodes `symbols` into `output` and returns the bytes used. Precondition: output.size() >= block_bound(); each symbol
// that occurs has a count in `model`; ways is 8, 16 or 32.
size_t encode_block(Bytes symbols, const Model& model, unsigned ways, MutableBytes output,
                    Implementation implementation = best_implementation());

// What decoding a block needs besides it: 17 to 96 KiB. Reused from block to block.
class DecodeTable {
 public:
  // Fills the table for `model`. Precondition: its counts add up.
  void build(const Model& model);
  unsigned bits() const { return bits_; }
  // 2^bits slots. With 12 bits: the count in bits 0-11, slot - first slot in bits 12-23, the symbol in bits 24-31. With
  // more, the first two in 16 bits each, and the symbols in a table of their own, which has 3 bytes to spare.
  const uint32_t* slots() const { return slots_.data(); }
  const uint8_t* symbols() const { return symbols_.data(); }
  bool is_packed() const { return bits_ == kMinProbabilityBits; }

 private:
  unsigned bits_ = 0;
  std::vector<uint32_t> slots_;
  std::vector<uint8_t> symbols_;
};

// Decodes a block into symbols.size() bytes. `block` may be anything. Errors: kCorrupt, with the offset in `block`, when it
// is not exactly a block of that many symbols.
Status decode_block(Bytes block, MutableBytes symbols, DecodeTable& table,
                    Implementation implementation = best_implementation());

}  // namespace glyd::rans

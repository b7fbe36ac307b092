#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/base/bytes.h"
#include "codec/base/status.h"
#include "codec/entropy/huffman/huffman_code.h"

// Bytes to a Huffman block and back; spec.md has its bytes.
namespace glyd::huffman {

// The longest limit a block may have, and the one to take: shorter ones decode no faster and take more.
inline constexpr unsigned kMaxBlockLimit = 12;
inline constexpr unsigned kBlockLimit = 12;

struct BlockCode {
  unsigned limit = kBlockLimit;
  std::array<uint8_t, 256> lengths{};
  uint64_t bits = 0;  // of all symbols that were counted; from it the streams get equal shares
};

// The best code for `histogram` with no length above `limit`. When only one symbol occurs its neighbour gets a code
// too. Preconditions: kMinLimit <= limit <= kMaxBlockLimit; at least one symbol occurs, and not more than 2^limit.
BlockCode make_code(const Histogram& histogram, unsigned limit);

// Bits that `code` takes for the symbols of `histogram`, without table and sizes.
uint64_t code_bits(const BlockCode& code, const Histogram& histogram);

// The most bytes that a block of that many symbols takes.
size_t block_bound(size_t symbol_count);

// Encodes `symbols` into `output` and returns the bytes used. Precondition: output.size() >= block_bound(); each symbol that
// occurs has a code.
size_t encode_block(Bytes symbols, const BlockCode& code, MutableBytes output);

// What decoding a block needs besides it: up to 128 KiB. Reused from block to block.
class DecodeTable {
 public:
  // Precondition: is_complete(code.lengths).
  void build(const BlockCode& code);
  unsigned limit() const { return limit_; }
  // 2^limit entries, one for each value of the next `limit` bits, about the symbols that lie wholly in them, four at most:
  // the bits of all of them in bits 0-7, their number in bits 8-15, the bits of the first in bits 16-23, the symbols in
  // bits 32-63, the first one lowest.
  const uint64_t* entries() const { return entries_.data(); }

 private:
  unsigned limit_ = 0;
  std::vector<uint64_t> entries_;
  std::array<std::vector<uint64_t>, 3> levels_;  // of build()
};

// Decodes a block into symbols.size() bytes. `block` may be anything. Errors: kCorrupt, with the offset in `block`, when it
// is not exactly a block of that many symbols.
Status decode_block(Bytes block, MutableBytes symbols, DecodeTable& table);

}  // namespace glyd::huffman

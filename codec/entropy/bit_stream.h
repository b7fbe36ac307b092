#pragma once

#include <vector>

#include "codec/base/bytes.h"

// Bit strings in bytes, bit 0 of byte 0 first. For tables and other short things; the block decoders have loops of
// their own.
namespace glyd {

class BitWriter {
 public:
  // Appends to `out`.
  explicit BitWriter(std::vector<uint8_t>& out) : out_(out) {}
  // Precondition: count <= 56, and value has no bits from there on.
  void write(uint64_t value, unsigned count) {
    held_ |= value << held_bits_;
    held_bits_ += count;
    for (; held_bits_ >= 8; held_bits_ -= 8, held_ >>= 8) out_.push_back(static_cast<uint8_t>(held_));
  }
  // Fills up the last byte with zeros.
  void finish() {
    if (held_bits_ > 0) out_.push_back(static_cast<uint8_t>(held_));
    held_ = 0;
    held_bits_ = 0;
  }

 private:
  std::vector<uint8_t>& out_;
  uint64_t held_ = 0;
  unsigned held_bits_ = 0;
};

// Reads what BitWriter wrote. Beyond the end there are zeros, and finish() says that it was so.
class BitReader {
 public:
  explicit BitReader(Bytes bytes) : bytes_(bytes) {}
  // Precondition: count <= 56.
  uint64_t read(unsigned count) {
    while (held_bits_ < count) {
      if (position_ < bytes_.size()) held_ |= uint64_t{bytes_[position_]} << held_bits_;
      ++position_;
      held_bits_ += 8;
    }
    const uint64_t value = held_ & ((uint64_t{1} << count) - 1);
    held_ >>= count;
    held_bits_ -= count;
    return value;
  }
  // The bytes read, or 0 when there were fewer, or when a bit left over in the last of them is not zero.
  size_t finish() const { return position_ <= bytes_.size() && held_ == 0 ? position_ : 0; }

 private:
  Bytes bytes_;
  size_t position_ = 0;
  uint64_t held_ = 0;
  unsigned held_bits_ = 0;
};

}  // namespace glyd

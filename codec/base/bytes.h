#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "codec/base/status.h"

// Byte spans, little-endian loads and stores, and the variable-length integers of FORMAT.md.
namespace glyd {

using Bytes = std::span<const uint8_t>;
using MutableBytes = std::span<uint8_t>;

// Reads a little-endian T from p, which needs no alignment. Precondition: sizeof(T) bytes are readable at p.
template <typename T>
inline T load_le(const uint8_t* p) {
  static_assert(std::endian::native == std::endian::little, "big-endian machines need a byte swap here");
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

template <typename T>
inline void store_le(uint8_t* p, T value) {
  static_assert(std::endian::native == std::endian::little, "big-endian machines need a byte swap here");
  std::memcpy(p, &value, sizeof value);
}

template <typename T>
inline void append_le(std::vector<uint8_t>& out, T value) {
  const size_t at = out.size();
  out.resize(at + sizeof value);
  store_le(out.data() + at, value);
}

// The longest varint: 64 bits at 7 bits a byte.
inline constexpr size_t kMaxVarintSize = 10;

// Appends `value` as a varint (LEB128: 7 bits a byte, least significant first, high bit set on all but the last).
inline void append_varint(std::vector<uint8_t>& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<uint8_t>(value) | 0x80);
    value >>= 7;
  }
  out.push_back(static_cast<uint8_t>(value));
}

// Writes `value` as a varint at p and returns the end. Precondition: kMaxVarintSize bytes are writable at p.
inline uint8_t* store_varint(uint8_t* p, uint64_t value) {
  while (value >= 0x80) {
    *p++ = static_cast<uint8_t>(value) | 0x80;
    value >>= 7;
  }
  *p++ = static_cast<uint8_t>(value);
  return p;
}

// A cursor over bytes that never reads past their end. After a failed read the cursor stays failed and reads give
// zero, so a parser may read a whole header and ask once.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  // False once a read ran past the end (truncated()) or met a varint that is overlong or above 64 bits.
  bool ok() const { return ok_; }
  // Whether the failure was the end of the bytes, so that more of them could help.
  bool truncated() const { return truncated_; }
  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }

  template <typename T>
  T read_le() {
    const Bytes raw = read(sizeof(T));
    return ok_ ? load_le<T>(raw.data()) : T{0};
  }

  uint64_t read_varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      const uint8_t byte = read_le<uint8_t>();
      if (!ok_) return 0;
      const bool overflow = shift == 63 && byte > 1;
      const bool overlong = shift > 0 && byte == 0;
      if (overflow || overlong) break;
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }

  // The next `size` bytes, or an empty span when there are fewer.
  Bytes read(size_t size) {
    if (!ok_ || remaining() < size) {
      truncated_ = truncated_ || ok_;
      ok_ = false;
      return {};
    }
    const Bytes result = bytes_.subspan(position_, size);
    position_ += size;
    return result;
  }

 private:
  Bytes bytes_;
  size_t position_ = 0;
  bool ok_ = true;
  bool truncated_ = false;
};

}  // namespace glyd

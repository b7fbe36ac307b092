#include "codec/transform/run_length/run_length_kernel.h"

#include <bit>
#include <cstring>

namespace glyd::run_length {
namespace {

// Operations are put down through this, which remembers when there was no room.
class OperationWriter {
 public:
  explicit OperationWriter(MutableBytes output) : begin_(output.data()), p_(begin_), end_(begin_ + output.size()) {}

  void literals(const uint8_t* from, size_t size) {
    if (size == 0 || !has_room(size)) return;
    p_ = store_varint(p_, uint64_t{size} << 1);
    std::memcpy(p_, from, size);
    p_ += size;
  }
  void run(uint8_t byte, size_t size) {
    if (!has_room(1)) return;
    p_ = store_varint(p_, uint64_t{size} << 1 | 1);
    *p_++ = byte;
  }
  bool full() const { return full_; }
  size_t size() const { return full_ ? kNoRoom : static_cast<size_t>(p_ - begin_); }

 private:
  bool has_room(size_t size) {
    full_ = full_ || static_cast<size_t>(end_ - p_) < kMaxVarintSize + size;
    return !full_;
  }

  uint8_t* begin_;
  uint8_t* p_;
  uint8_t* end_;
  bool full_ = false;
};

}  // namespace

size_t run_size(const uint8_t* p, const uint8_t* end) {
  const uint8_t* q = p + 1;
  const uint64_t pattern = *p * uint64_t{0x0101010101010101};
  for (; end - q >= 8; q += 8) {
    const uint64_t difference = load_le<uint64_t>(q) ^ pattern;
    if (difference != 0) return static_cast<size_t>(q - p) + static_cast<size_t>(std::countr_zero(difference)) / 8;
  }
  while (q < end && *q == *p) ++q;
  return static_cast<size_t>(q - p);
}

size_t encode(Bytes input, MutableBytes output) {
  OperationWriter writer(output);
  const uint8_t* const end = input.data() + input.size();
  const uint8_t* literals = input.data();
  const uint8_t* p = input.data();
  // A run of kMinRun covers two neighbouring probes kMinRun / 2 apart with 8 equal bytes behind each, so that
  // only every 16th position has to be looked at.
  constexpr ptrdiff_t kStep = kMinRun / 2;
  while (end - p > kStep && !writer.full()) {
    if (load_le<uint64_t>(p) != load_le<uint64_t>(p + 1)) {
      p += kStep;
      continue;
    }
    const uint8_t* start = p;
    while (start > literals && start[-1] == *p) --start;
    const size_t size = run_size(start, end);
    if (size >= kMinRun) {
      writer.literals(literals, static_cast<size_t>(start - literals));
      writer.run(*start, size);
      literals = p = start + size;
    } else {
      p += kStep;
    }
  }
  writer.literals(literals, static_cast<size_t>(end - literals));
  return writer.size();
}

bool decode(Bytes input, MutableBytes output) {
  ByteReader reader(input);
  uint8_t* p = output.data();
  uint8_t* const end = p + output.size();
  while (reader.remaining() > 0) {
    const uint64_t operation = reader.read_varint();
    const uint64_t size = operation >> 1;
    if (!reader.ok() || size == 0 || size > static_cast<size_t>(end - p)) return false;
    const bool is_run = (operation & 1) != 0;
    const Bytes data = reader.read(is_run ? 1 : static_cast<size_t>(size));
    if (!reader.ok()) return false;
    if (is_run) {
      std::memset(p, data[0], static_cast<size_t>(size));
    } else {
      std::memcpy(p, data.data(), static_cast<size_t>(size));
    }
    p += size;
  }
  return p == end;
}

}  // namespace glyd::run_length

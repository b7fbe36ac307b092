#pragma once

#include <cstdint>

#include "codec/base/bytes.h"
#include "codec/base/status.h"

// Where bytes come from and where they go. Encoder and Decoder hand out windows onto their own buffers, so a
// source reads straight into the block and a sink writes straight out of it.
namespace glyd {

// A stream of bytes, read once, from the front.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Reads at least one byte into `destination`, or none at the end of the stream. Returns how many. Precondition:
  // `destination` is not empty.
  virtual Result<size_t> read(MutableBytes destination) = 0;
};

// Bytes that can be read at any offset, in any order.
class RandomAccessSource {
 public:
  virtual ~RandomAccessSource() = default;
  virtual Result<uint64_t> size() = 0;
  // Fills `destination` from `offset`. Errors: kTruncated when the bytes end before it is full.
  virtual Status read_at(uint64_t offset, MutableBytes destination) = 0;
};

// Takes bytes in order.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Writes all of `bytes`.
  virtual Status write(Bytes bytes) = 0;
  // Ends the stream: what was buffered is written. A sink that was not closed is incomplete.
  virtual Status close() = 0;
};

// Bytes in memory; they must outlive the source.
class MemorySource : public ByteSource, public RandomAccessSource {
 public:
  explicit MemorySource(Bytes bytes) : bytes_(bytes) {}

  Result<size_t> read(MutableBytes destination) override {
    const size_t size = std::min(destination.size(), bytes_.size() - position_);
    if (size > 0) std::memcpy(destination.data(), bytes_.data() + position_, size);
    position_ += size;
    return size;
  }
  Result<uint64_t> size() override { return uint64_t{bytes_.size()}; }
  Status read_at(uint64_t offset, MutableBytes destination) override {
    if (offset > bytes_.size() || destination.size() > bytes_.size() - offset) {
      return Status(Code::kTruncated, nullptr, bytes_.size());
    }
    if (!destination.empty()) std::memcpy(destination.data(), bytes_.data() + offset, destination.size());
    return {};
  }

 private:
  Bytes bytes_;
  size_t position_ = 0;
};

// Collects bytes in a vector.
class MemorySink : public ByteSink {
 public:
  Status write(Bytes bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return {};
  }
  Status close() override { return {}; }
  std::vector<uint8_t>& bytes() { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace glyd

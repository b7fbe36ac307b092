#pragma once

#include <cstdint>

#include "codec/base/bytes.h"
#include "codec/base/status.h"
#include "codec/stream/byte_source.h"

// Sources over POSIX file descriptors. Neither owns its descriptor: whoever opened it closes it, after the
// source.
namespace glyd {

// Reads a descriptor of any kind (file, pipe, terminal, socket) from its present position.
class FdSource : public ByteSource {
 public:
  explicit FdSource(int descriptor) : descriptor_(descriptor) {}

  // One read(2), as large as `destination` allows; interrupted calls are repeated, and a non-blocking
  // descriptor is waited for. Errors: kIo with errno.
  Result<size_t> read(MutableBytes destination) override;

  // Bytes read so far.
  uint64_t position() const { return position_; }

 private:
  int descriptor_;
  uint64_t position_ = 0;
};

// A stream whose first bytes can be looked at before they are read: for telling formats apart on a pipe.
class PeekSource : public ByteSource {
 public:
  // `rest` must outlive this source.
  explicit PeekSource(ByteSource& rest) : rest_(rest) {}

  // The next bytes of the stream, at least `size` of them when there are so many, which stay to be read. The
  // window is valid until the next call. Errors: those of the stream.
  Result<Bytes> peek(size_t size);
  Result<size_t> read(MutableBytes destination) override;

 private:
  ByteSource& rest_;
  std::vector<uint8_t> held_;
  size_t taken_ = 0;  // of held_
  bool ended_ = false;
};

// Reads a regular file (or a block device) at any offset, without moving the descriptor's position.
class FileSource : public RandomAccessSource {
 public:
  explicit FileSource(int descriptor) : descriptor_(descriptor) {}

  // Errors: kNotSeekable when the descriptor is a pipe or a terminal; kIo with errno.
  Result<uint64_t> size() override;
  Status read_at(uint64_t offset, MutableBytes destination) override;

 private:
  int descriptor_;
};

}  // namespace glyd

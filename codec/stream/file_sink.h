#pragma once

#include <cstdint>

#include "codec/base/bytes.h"
#include "codec/base/status.h"
#include "codec/stream/byte_source.h"

// Sinks over POSIX file descriptors, and one that keeps nothing.
namespace glyd {

// Writes to a descriptor of any kind from its present position. The descriptor is not owned: close() of the
// sink ends the stream, whoever opened the descriptor closes it.
class FdSink : public ByteSink {
 public:
  // kHoles: runs of zeros that cover whole blocks of kHoleSize are left out of the file, so that they take no
  // space on the disk. Only for a regular file that ends at the descriptor's position; see can_have_holes().
  enum class Zeros { kWrite, kHoles };
  static constexpr size_t kHoleSize = 4096;

  explicit FdSink(int descriptor, Zeros zeros = Zeros::kWrite);

  // Whether holes may be made at the present position: a regular file, not opened for appending, that ends
  // there.
  static bool can_have_holes(int descriptor);

  // All of `bytes`, in as few write(2) calls as the kernel allows. Errors: kIo with errno.
  Status write(Bytes bytes) override;
  // Gives the file its size when it ends in a hole.
  Status close() override;

  // Bytes taken so far, holes included.
  uint64_t position() const { return position_; }

 private:
  Status write_with_holes(Bytes bytes);
  Status write_data(Bytes bytes);

  int descriptor_;
  Zeros zeros_;
  uint64_t position_ = 0;
  uint64_t hole_ = 0;   // zeros at the end of what was taken that have not been skipped in the file yet
  uint64_t start_ = 0;  // the descriptor's position in the file when the sink was made; for kHoles only
};

// Counts bytes and drops them.
class NullSink : public ByteSink {
 public:
  Status write(Bytes bytes) override {
    position_ += bytes.size();
    return {};
  }
  Status close() override { return {}; }
  uint64_t position() const { return position_; }

 private:
  uint64_t position_ = 0;
};

}  // namespace glyd

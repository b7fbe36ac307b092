#include "codec/stream/file_sink.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace glyd {
namespace {

constexpr const char* kWriting = "writing the output";
constexpr size_t kMaxWrite = size_t{1} << 30;

// A first word that is not zero settles nearly every block; memcmp of the block with itself, shifted, settles
// the rest at the speed of memory.
bool all_zero(const uint8_t* p, size_t size) {
  if (size < 8) return std::all_of(p, p + size, [](uint8_t byte) { return byte == 0; });
  return load_le<uint64_t>(p) == 0 && std::memcmp(p, p + 8, size - 8) == 0;
}

}  // namespace

FdSink::FdSink(int descriptor, Zeros zeros) : descriptor_(descriptor), zeros_(zeros) {
  if (zeros_ != Zeros::kHoles) return;
  const off_t at = ::lseek(descriptor, 0, SEEK_CUR);
  if (at < 0) {
    zeros_ = Zeros::kWrite;
  } else {
    start_ = static_cast<uint64_t>(at);
  }
}

bool FdSink::can_have_holes(int descriptor) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || (flags & O_APPEND) != 0) return false;
  return ::lseek(descriptor, 0, SEEK_CUR) == info.st_size;
}

Status FdSink::write(Bytes bytes) {
  if (zeros_ == Zeros::kHoles) return write_with_holes(bytes);
  const Status status = write_data(bytes);
  if (status.ok()) position_ += bytes.size();
  return status;
}

Status FdSink::write_data(Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kMaxWrite));
    if (put >= 0) {
      bytes = bytes.subspan(static_cast<size_t>(put));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd waited{descriptor_, POLLOUT, 0};
      (void)::poll(&waited, 1, -1);
    } else if (errno != EINTR) {
      return Status::from_errno(errno, kWriting);
    }
  }
  return {};
}

// Cuts `bytes` at multiples of kHoleSize in the file; a file system makes holes of whole, aligned blocks
// only.
Status FdSink::write_with_holes(Bytes bytes) {
  size_t data_begin = 0;
  size_t at = 0;
  // Writes what lies before `end`, at its place behind the hole before it.
  const auto flush = [&](size_t end) -> Status {
    if (end == data_begin) return {};
    if (hole_ > 0) {
      const off_t place = static_cast<off_t>(start_ + position_ + data_begin);
      if (::lseek(descriptor_, place, SEEK_SET) < 0) return Status::from_errno(errno, kWriting);
      hole_ = 0;
    }
    return write_data(bytes.subspan(data_begin, end - data_begin));
  };
  while (at < bytes.size()) {
    const size_t in_block = (start_ + position_ + at) % kHoleSize;
    const size_t size = std::min(kHoleSize - in_block, bytes.size() - at);
    // A part of a block goes on with a hole that is open, but opens one only at the block's start: what is
    // before it has been written.
    const bool skip = (in_block == 0 || (hole_ > 0 && data_begin == at)) && all_zero(bytes.data() + at, size);
    if (skip) {
      if (const Status status = flush(at); !status.ok()) return status;
      hole_ += size;
      data_begin = at + size;
    }
    at += size;
  }
  if (const Status status = flush(bytes.size()); !status.ok()) return status;
  position_ += bytes.size();
  return {};
}

Status FdSink::close() {
  if (zeros_ != Zeros::kHoles || hole_ == 0) return {};
  const off_t end = static_cast<off_t>(start_ + position_);
  if (::ftruncate(descriptor_, end) != 0) return Status::from_errno(errno, kWriting);
  if (::lseek(descriptor_, end, SEEK_SET) < 0) return Status::from_errno(errno, kWriting);
  hole_ = 0;
  return {};
}

}  // namespace glyd

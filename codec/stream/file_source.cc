#include "codec/stream/file_source.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace glyd {
namespace {

constexpr const char* kReading = "reading the input";

// Linux moves at most 0x7FFFF000 bytes a call; this is less, and a whole number of pages.
constexpr size_t kMaxRead = size_t{1} << 30;

void wait_until_readable(int descriptor) {
  pollfd waited{descriptor, POLLIN, 0};
  (void)::poll(&waited, 1, -1);
}

}  // namespace

Result<size_t> FdSource::read(MutableBytes destination) {
  while (true) {
    const ssize_t got = ::read(descriptor_, destination.data(), std::min(destination.size(), kMaxRead));
    if (got >= 0) {
      position_ += static_cast<uint64_t>(got);
      return static_cast<size_t>(got);
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      wait_until_readable(descriptor_);
    } else if (errno != EINTR) {
      return Status::from_errno(errno, kReading);
    }
  }
}

Result<Bytes> PeekSource::peek(size_t size) {
  held_.erase(held_.begin(), held_.begin() + static_cast<ptrdiff_t>(taken_));
  taken_ = 0;
  while (held_.size() < size && !ended_) {
    const size_t have = held_.size();
    held_.resize(size);
    const Result<size_t> got = rest_.read(MutableBytes(held_).subspan(have));
    held_.resize(have + (got.ok() ? *got : 0));
    if (!got.ok()) return got.status();
    ended_ = *got == 0;
  }
  return Bytes(held_);
}

Result<size_t> PeekSource::read(MutableBytes destination) {
  const size_t size = std::min(destination.size(), held_.size() - taken_);
  if (size == 0) {
    if (ended_) return size_t{0};
    return rest_.read(destination);
  }
  std::memcpy(destination.data(), held_.data() + taken_, size);
  taken_ += size;
  return size;
}

Result<uint64_t> FileSource::size() {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0) return Status::from_errno(errno, kReading);
  if (S_ISREG(info.st_mode)) return static_cast<uint64_t>(info.st_size);
  if (S_ISBLK(info.st_mode)) {
    const off_t end = ::lseek(descriptor_, 0, SEEK_END);
    if (end < 0) return Status::from_errno(errno, kReading);
    return static_cast<uint64_t>(end);
  }
  return Status(Code::kNotSeekable);
}

Status FileSource::read_at(uint64_t offset, MutableBytes destination) {
  while (!destination.empty()) {
    const ssize_t got =
        ::pread(descriptor_, destination.data(), std::min(destination.size(), kMaxRead), static_cast<off_t>(offset));
    if (got < 0) {
      if (errno == EINTR) continue;
      if (errno == ESPIPE) return Status(Code::kNotSeekable);
      return Status::from_errno(errno, kReading).at(offset);
    }
    if (got == 0) return Status(Code::kTruncated, nullptr, offset);
    offset += static_cast<uint64_t>(got);
    destination = destination.subspan(static_cast<size_t>(got));
  }
  return {};
}

}  // namespace glyd

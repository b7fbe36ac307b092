#include "codec/model/header_source.h"

#include "codec/model/model_map.h"

namespace glyd {
namespace {

// A small header costs a small read; in a long one every read is larger than the one before.
constexpr uint64_t kFirstLoad = uint64_t{4} << 10;
constexpr uint64_t kLargestLoad = uint64_t{256} << 10;

}  // namespace

bool HeaderSource::may_read(uint64_t offset, uint64_t size) {
  const bool there = offset <= present_ && size <= present_ - offset;
  return status_.ok() && there && size <= kMaxHeaderBytes - bytes_read_;
}

bool HeaderSource::read(uint64_t offset, MutableBytes destination) {
  if (!may_read(offset, destination.size())) return false;
  bytes_read_ += destination.size();
  const Status status = source_.read_at(offset, destination);
  // A file that has become shorter meanwhile is one without this header.
  if (!status.ok() && status.code() != Code::kTruncated) status_ = status;
  return status.ok();
}

bool HeaderSource::read(uint64_t offset, uint64_t size, Buffer& buffer, size_t padding) {
  if (!may_read(offset, size)) return false;
  const size_t held = static_cast<size_t>(size);
  if (const Status status = buffer.reserve(held + padding); !status.ok()) {
    status_ = status;
    return false;
  }
  if (padding > 0) std::memset(buffer.data() + held, 0, padding);
  return read(offset, MutableBytes(buffer.data(), held));
}

HeaderCursor::HeaderCursor(HeaderSource& source, uint64_t begin, uint64_t end)
    : source_(source), position_(begin), end_(std::min(end, source.present())), next_load_(kFirstLoad) {
  if (begin > end_) {
    end_ = begin;
    ok_ = false;
  }
}

Bytes HeaderCursor::read(uint64_t size) {
  if (!ok_ || size > remaining()) {
    ok_ = false;
    return {};
  }
  const bool held = position_ >= buffer_begin_ && position_ + size <= buffer_end_;
  if (!held && !load(size)) {
    ok_ = false;
    return {};
  }
  const Bytes result(buffer_.data() + (position_ - buffer_begin_), static_cast<size_t>(size));
  position_ += size;
  return result;
}

void HeaderCursor::skip(uint64_t size) {
  if (!ok_ || size > remaining()) {
    ok_ = false;
    return;
  }
  position_ += size;
}

// Bytes that are in the buffer already are read again: they are fewer than the next field.
bool HeaderCursor::load(uint64_t size) {
  const uint64_t length = std::min(std::max(size, next_load_), end_ - position_);
  next_load_ = std::min(next_load_ * 2, kLargestLoad);
  buffer_begin_ = buffer_end_ = position_;
  if (!source_.read(position_, length, buffer_)) return false;
  buffer_end_ = position_ + length;
  return true;
}

}  // namespace glyd

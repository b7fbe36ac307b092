#pragma once

#include <cstdint>

#include "codec/base/buffer.h"
#include "codec/base/bytes.h"
#include "codec/stream/byte_source.h"

// How the readers of codec/model get at the headers of a file: bounded reads that fail instead of explaining. Private
// to codec/model.
namespace glyd {

// A file of which the beginning, or all, can be read. Reads stop when kMaxHeaderBytes have been read in all, so no
// header can make a reader read for ever.
class HeaderSource {
 public:
  // `present`: bytes that `source` holds; `size`: those of the whole file, kUnknownSize (codec/model/model_map.h) when
  // nobody knows. Precondition: present <= size. `source` must outlive this.
  HeaderSource(RandomAccessSource& source, uint64_t present, uint64_t size)
      : source_(source), present_(present), size_(size) {}

  uint64_t present() const { return present_; }
  uint64_t size() const { return size_; }
  // Whether [offset, offset + size) can lie in the file.
  bool contains(uint64_t offset, uint64_t size) const { return offset <= size_ && size <= size_ - offset; }

  // Fills `destination` from `offset`. False when these bytes are not there, when too much has been read, and after an
  // error of the source.
  bool read(uint64_t offset, MutableBytes destination);
  // The same into `buffer`, which is made large enough once it is clear that the bytes are there. `padding` bytes
  // behind them are set to zero.
  bool read(uint64_t offset, uint64_t size, Buffer& buffer, size_t padding = 0);

  // The first error of the source but kTruncated.
  const Status& status() const { return status_; }

 private:
  bool may_read(uint64_t offset, uint64_t size);

  RandomAccessSource& source_;
  uint64_t present_;
  uint64_t size_;
  uint64_t bytes_read_ = 0;
  Status status_;
};

// Reads a header from the front through a buffer. After a failed read the cursor stays failed and reads give zero, so
// a parser may read several fields and ask once.
class HeaderCursor {
 public:
  // Reads [begin, end) of `source`, which must outlive this.
  HeaderCursor(HeaderSource& source, uint64_t begin, uint64_t end);

  bool ok() const { return ok_; }
  uint64_t position() const { return position_; }
  uint64_t remaining() const { return end_ - position_; }

  template <typename T>
  T read_le() {
    const Bytes raw = read(sizeof(T));
    return ok_ ? load_le<T>(raw.data()) : T{0};
  }
  // The next `size` bytes, valid until the next call; empty when there are fewer.
  Bytes read(uint64_t size);
  // Passes over bytes without reading them.
  void skip(uint64_t size);
  // The cursor is failed from here on.
  void fail() { ok_ = false; }

 private:
  bool load(uint64_t size);

  HeaderSource& source_;
  uint64_t position_;
  uint64_t end_;
  Buffer buffer_;
  uint64_t buffer_begin_ = 0;  // what part of the file is in the buffer
  uint64_t buffer_end_ = 0;
  uint64_t next_load_;
  bool ok_ = true;
};

}  // namespace glyd

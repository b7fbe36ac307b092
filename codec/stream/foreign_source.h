#pragma once

#include <memory>

#include "codec/base/buffer.h"
#include "codec/base/limits.h"
#include "codec/stream/byte_source.h"
#include "codec/stream/foreign_decoder.h"

// Private to codec/stream.
namespace glyd {

// What all foreign sources have in common: the first error is kept, and content beyond the limit is an error.
class LimitedSource : public ByteSource {
 public:
  explicit LimitedSource(uint64_t output_limit) : left_(output_limit) {}
  Result<size_t> read(MutableBytes destination) final;

 private:
  // As ByteSource::read(); not called again after an error or the end.
  virtual Result<size_t> decode(MutableBytes destination) = 0;

  uint64_t left_;  // bytes of content that may still come
  Status status_;
  bool ended_ = false;
};

// The next bytes of a source, as a window that can be made as long as a member's head.
class CompressedInput {
 public:
  static constexpr size_t kBufferSize = size_t{64} << 10;

  explicit CompressedInput(ByteSource& source) : source_(source) {}
  // At least `size` bytes (1...kBufferSize), fewer only at the end of the source.
  Result<Bytes> window(size_t size);
  // Precondition: size <= window's.
  void consume(size_t size) { begin_ += size; }
  // Bytes consumed so far.
  uint64_t offset() const { return received_ - (end_ - begin_); }

 private:
  ByteSource& source_;
  Buffer buffer_;
  size_t begin_ = 0;  // of the window in the buffer
  size_t end_ = 0;
  uint64_t received_ = 0;  // bytes read from the source
  bool source_ended_ = false;
};

// The content of all members of `compressed`.
class ForeignSource : public LimitedSource {
 public:
  ForeignSource(std::unique_ptr<ForeignDecoder> decoder, ByteSource& compressed, const Limits& limits)
      : LimitedSource(limits.output), decoder_(std::move(decoder)), input_(compressed), memory_(limits.memory) {}

 private:
  Result<size_t> decode(MutableBytes destination) override;
  // Sets in_member_ when there is one more.
  Status next_member();
  Status skip_padding();
  Status begin_member(Bytes head);
  // One step, and what its outcome means. Returns the bytes written.
  Result<size_t> decode_some(MutableBytes destination);

  std::unique_ptr<ForeignDecoder> decoder_;
  CompressedInput input_;
  uint64_t memory_;
  bool in_member_ = false;
  bool had_member_ = false;
};

}  // namespace glyd

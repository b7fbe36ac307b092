#include <lzma.h>

#include <new>

#include "codec/stream/foreign_decoder.h"

namespace glyd {
namespace {

// What .xz and .lzma have in common: liblzma's stream, which asks for its memory limit and keeps to it.
class LzmaStreamDecoder : public ForeignDecoder {
 public:
  ~LzmaStreamDecoder() override { ::lzma_end(&stream_); }

  Status begin(Bytes, uint64_t memory) override {
    // liblzma's own state, besides what it counts against its limit.
    constexpr uint64_t kOwn = uint64_t{64} << 10;
    if (memory <= kOwn) return Status(Code::kMemoryLimit, "the decoder's state");
    return status_of(open(stream_, memory - kOwn));
  }

  Result<Step> step(Bytes input, MutableBytes output) override {
    stream_.next_in = input.data();
    stream_.avail_in = input.size();
    stream_.next_out = output.data();
    stream_.avail_out = output.size();
    const lzma_ret result = ::lzma_code(&stream_, input.empty() ? LZMA_FINISH : LZMA_RUN);
    const Step step{input.size() - stream_.avail_in, output.size() - stream_.avail_out, result == LZMA_STREAM_END};
    if (const Status status = status_of(result); !status.ok()) return status.at(step.taken);
    return step;
  }

 private:
  virtual lzma_ret open(lzma_stream& stream, uint64_t memory) = 0;

  static Status status_of(lzma_ret result) {
    switch (result) {
      case LZMA_OK:
      case LZMA_STREAM_END:
      case LZMA_BUF_ERROR:  // no progress, which the step shows
        return {};
      case LZMA_MEM_ERROR:
        return Code::kOutOfMemory;
      case LZMA_MEMLIMIT_ERROR:
        return Status(Code::kMemoryLimit, "the dictionary");
      case LZMA_UNSUPPORTED_CHECK:
        return Status(Code::kUnsupportedFeature, "an integrity check that liblzma does not know");
      case LZMA_OPTIONS_ERROR:
        return Status(Code::kUnsupportedFeature, "a filter or option that liblzma does not know");
      case LZMA_FORMAT_ERROR:
        return Status(Code::kCorrupt, "stream header");
      default:
        return Status(Code::kCorrupt);
    }
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class XzDecoder : public LzmaStreamDecoder {
 public:
  Padding padding() const override { return Padding::kZerosInFours; }
  MemberStart member_start(Bytes head) const override { return match_magic(head, kXzMagic); }

 private:
  lzma_ret open(lzma_stream& stream, uint64_t memory) override {
    return ::lzma_stream_decoder(&stream, memory, LZMA_TELL_UNSUPPORTED_CHECK);
  }
};

class LzmaDecoder : public LzmaStreamDecoder {
 public:
  bool may_repeat() const override { return false; }
  // A file that states its content's size may have an end marker all the same. liblzma 5.4.1 calls such a file
  // damaged when its input is divided within the marker, which is shorter than this.
  size_t undivided_tail() const override { return 32; }
  MemberStart member_start(Bytes) const override { return MemberStart::kYes; }  // there is no magic number

 private:
  lzma_ret open(lzma_stream& stream, uint64_t memory) override { return ::lzma_alone_decoder(&stream, memory); }
};

}  // namespace

std::unique_ptr<ForeignDecoder> make_xz_decoder() {
  return std::unique_ptr<ForeignDecoder>(new (std::nothrow) XzDecoder);
}

std::unique_ptr<ForeignDecoder> make_lzma_decoder() {
  return std::unique_ptr<ForeignDecoder>(new (std::nothrow) LzmaDecoder);
}

}  // namespace glyd

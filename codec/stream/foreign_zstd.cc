#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <new>

#include "codec/stream/foreign_decoder.h"

namespace glyd {
namespace {

// What the decoder takes besides its window: its tables, a block in and two blocks out.
constexpr uint64_t kOwnMemory = uint64_t{1} << 20;
constexpr int kSmallestWindowLog = 10;

Status damage(size_t result) {
  const char* name = ::ZSTD_getErrorName(result);  // a literal
  switch (::ZSTD_getErrorCode(result)) {
    case ZSTD_error_memory_allocation:
      return Code::kOutOfMemory;
    case ZSTD_error_frameParameter_windowTooLarge:
      return Status(Code::kMemoryLimit, "the window");
    case ZSTD_error_checksum_wrong:
      return Status(Code::kChecksumMismatch, name);
    case ZSTD_error_dictionary_wrong:
      return Status(Code::kUnsupportedFeature, "needs a dictionary");
    default:
      return Status(Code::kCorrupt, name);
  }
}

class ZstdDecoder : public ForeignDecoder {
 public:
  ~ZstdDecoder() override { ::ZSTD_freeDCtx(context_); }

  // libzstd may have been built to read its forerunners' formats too, whose memory has no limit; no magic
  // number but the two goes to it.
  MemberStart member_start(Bytes head) const override {
    const MemberStart frame = match_magic(head, kZstdMagic);
    return frame != MemberStart::kNo ? frame : match_skippable(head);
  }

  Status begin(Bytes head, uint64_t memory) override {
    if (memory < kOwnMemory + (uint64_t{1} << kSmallestWindowLog)) {
      return Status(Code::kMemoryLimit, "the zstd decoder");
    }
    if (context_ == nullptr) context_ = ::ZSTD_createDCtx();
    if (context_ == nullptr) return Code::kOutOfMemory;
    const int fits = static_cast<int>(std::bit_width(memory - kOwnMemory)) - 1;
    const int window_log = std::min(fits, ::ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
    content_size_ = ::ZSTD_getFrameContentSize(head.data(), head.size());
    written_ = 0;
    const size_t reset = ::ZSTD_DCtx_reset(context_, ZSTD_reset_session_only);
    const size_t limited = ::ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, window_log);
    if (::ZSTD_isError(reset)) return damage(reset);
    return ::ZSTD_isError(limited) ? damage(limited) : Status();
  }

  Result<Step> step(Bytes input, MutableBytes output) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const size_t result = ::ZSTD_decompressStream(context_, &out, &in);
    if (::ZSTD_isError(result)) return damage(result);
    written_ += out.pos;
    if (result == 0 && !has_announced_size()) return Status(Code::kCorrupt, "content size");
    return Step{in.pos, out.pos, result == 0};
  }

 private:
  // libzstd's streams do not compare the two when the last block is empty.
  bool has_announced_size() const {
    return content_size_ == ZSTD_CONTENTSIZE_UNKNOWN || content_size_ == ZSTD_CONTENTSIZE_ERROR ||
           content_size_ == written_;
  }

  ZSTD_DCtx* context_ = nullptr;
  unsigned long long content_size_ = ZSTD_CONTENTSIZE_UNKNOWN;
  unsigned long long written_ = 0;
};

}  // namespace

std::unique_ptr<ForeignDecoder> make_zstd_decoder() {
  return std::unique_ptr<ForeignDecoder>(new (std::nothrow) ZstdDecoder);
}

}  // namespace glyd

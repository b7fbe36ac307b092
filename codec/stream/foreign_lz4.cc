#include <lz4frame.h>

#include <new>
#include <string_view>

#include "codec/stream/foreign_decoder.h"

namespace glyd {
namespace {

// The decoder's state and the 64 KiB before a block that it may refer to, twice.
constexpr uint64_t kOwnMemory = uint64_t{256} << 10;

// liblz4 offers error names, not numbers, to those who link it as a shared library. The names are literals.
Status damage(LZ4F_errorCode_t result) {
  const char* name = ::LZ4F_getErrorName(result);
  const std::string_view text = name;
  if (text == "ERROR_allocation_failed") return Code::kOutOfMemory;
  const bool checksum = text.find("hecksum_invalid") != std::string_view::npos;
  return Status(checksum ? Code::kChecksumMismatch : Code::kCorrupt, name);
}

class Lz4FrameDecoder : public ForeignDecoder {
 public:
  ~Lz4FrameDecoder() override { ::LZ4F_freeDecompressionContext(context_); }

  MemberStart member_start(Bytes head) const override {
    const MemberStart frame = match_magic(head, kLz4Magic);
    return frame != MemberStart::kNo ? frame : match_skippable(head);
  }

  Status begin(Bytes head, uint64_t memory) override {
    if (memory < memory_for(head)) return Status(Code::kMemoryLimit, "the blocks");
    if (context_ == nullptr && ::LZ4F_isError(::LZ4F_createDecompressionContext(&context_, LZ4F_VERSION))) {
      return Code::kOutOfMemory;
    }
    ::LZ4F_resetDecompressionContext(context_);
    return {};
  }

  Result<Step> step(Bytes input, MutableBytes output) override {
    size_t taken = input.size();
    size_t written = output.size();
    const size_t result = ::LZ4F_decompress(context_, output.data(), &written, input.data(), &taken, nullptr);
    if (::LZ4F_isError(result)) return damage(result);
    return Step{taken, written, result == 0};
  }

 private:
  // A block in and a block out. Bits 4 to 6 of the sixth byte are the largest block's size: 4 for 64 KiB,
  // then each four times as large as the one before. Numbers that are none (and a head too short) are left to
  // liblz4.
  static uint64_t memory_for(Bytes head) {
    if (match_magic(head, kLz4Magic) != MemberStart::kYes || head.size() < 6) return kOwnMemory;
    const unsigned number = (head[5] >> 4) & 7u;
    if (number < 4) return kOwnMemory;
    return kOwnMemory + 2 * (uint64_t{1} << (8 + 2 * number));
  }

  LZ4F_dctx* context_ = nullptr;
};

}  // namespace

std::unique_ptr<ForeignDecoder> make_lz4_decoder() {
  return std::unique_ptr<ForeignDecoder>(new (std::nothrow) Lz4FrameDecoder);
}

}  // namespace glyd

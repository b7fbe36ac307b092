#include <zlib.h>

#include <limits>
#include <new>
#include <string_view>

#include "codec/stream/foreign_decoder.h"

namespace glyd {
namespace {

// zlib's window of 32 KiB and its tables.
constexpr uint64_t kMemory = uint64_t{48} << 10;
// The largest window, and gzip's wrapper only.
constexpr int kGzipWindowBits = 15 + 16;

uInt bounded(size_t size) {
  return static_cast<uInt>(std::min<size_t>(size, std::numeric_limits<uInt>::max()));
}

// zlib has one number for all damage; its message, which is a literal, tells the kinds apart.
Status damage(const char* message) {
  if (message == nullptr) return Code::kCorrupt;
  const std::string_view text = message;
  const bool checksum =
      text == "incorrect data check" || text == "incorrect length check" || text == "header crc mismatch";
  return Status(checksum ? Code::kChecksumMismatch : Code::kCorrupt, message);
}

class GzipDecoder : public ForeignDecoder {
 public:
  ~GzipDecoder() override {
    if (ready_) ::inflateEnd(&stream_);
  }

  Padding padding() const override { return Padding::kZerosAtEnd; }
  MemberStart member_start(Bytes head) const override { return match_magic(head, kGzipMagic); }

  Status begin(Bytes, uint64_t memory) override {
    if (memory < kMemory) return Status(Code::kMemoryLimit, "the gzip decoder");
    const int result = ready_ ? ::inflateReset(&stream_) : ::inflateInit2(&stream_, kGzipWindowBits);
    if (result != Z_OK) return Code::kOutOfMemory;
    ready_ = true;
    return {};
  }

  Result<Step> step(Bytes input, MutableBytes output) override {
    const uInt input_size = bounded(input.size());
    const uInt output_size = bounded(output.size());
    stream_.next_in = const_cast<Bytef*>(input.data());  // zlib's interface predates const; it does not write there
    stream_.avail_in = input_size;
    stream_.next_out = output.data();
    stream_.avail_out = output_size;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    const Step step{input_size - stream_.avail_in, output_size - stream_.avail_out, result == Z_STREAM_END};
    switch (result) {
      case Z_OK:
      case Z_STREAM_END:
      case Z_BUF_ERROR:  // no progress, which the step shows
        return step;
      case Z_MEM_ERROR:
        return Status(Code::kOutOfMemory);
      default:
        return damage(stream_.msg).at(step.taken);
    }
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

}  // namespace

std::unique_ptr<ForeignDecoder> make_gzip_decoder() {
  return std::unique_ptr<ForeignDecoder>(new (std::nothrow) GzipDecoder);
}

}  // namespace glyd

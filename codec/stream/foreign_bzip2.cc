#include <array>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <limits>
#include <new>
#include <optional>

#include "codec/stream/foreign_decoder.h"
#include "codec/stream/foreign_source.h"

namespace glyd {
namespace {

// libbz2's 3.7 MB for the largest block, and the filter's buffer.
constexpr uint64_t kMemory = uint64_t{4} << 20;
// How far beyond the damage an error's offset may be, and how much is read at a time.
constexpr std::streamsize kFilterBufferSize = 4096;

// A ByteSource as Boost.Iostreams wants to see it. Errors of the source look like its end to Boost, and are
// asked for afterwards.
class Device {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  explicit Device(ByteSource& source) : source_(source) {}

  std::streamsize read(char* destination, std::streamsize size) {
    if (!status_.ok() || size <= 0) return -1;
    auto* bytes = reinterpret_cast<uint8_t*>(destination);
    const Result<size_t> got = source_.read(MutableBytes(bytes, static_cast<size_t>(size)));
    if (!got.ok()) status_ = got.status();
    if (!got.ok() || *got == 0) return -1;
    for (size_t i = 0; i < *got && offset_ + i < head_.size(); ++i) {
      head_[static_cast<size_t>(offset_) + i] = bytes[i];
    }
    offset_ += *got;
    return static_cast<std::streamsize>(*got);
  }

  const Status& status() const { return status_; }
  uint64_t offset() const { return offset_; }
  // Whether the first stream's header ("BZh" and a digit) is right.
  bool begins_well() const {
    return head_[0] == 'B' && head_[1] == 'Z' && head_[2] == 'h' && head_[3] >= '1' && head_[3] <= '9';
  }

 private:
  ByteSource& source_;
  Status status_;
  uint64_t offset_ = 0;
  std::array<uint8_t, 4> head_{};
};

class Bzip2Source : public LimitedSource {
 public:
  Bzip2Source(ByteSource& compressed, const Limits& limits)
      : LimitedSource(limits.output), device_(compressed), memory_(limits.memory) {}

 private:
  Result<size_t> decode(MutableBytes destination) override {
    if (memory_ < kMemory) return Status(Code::kMemoryLimit, "the bzip2 decoder", 0);
    try {
      if (!filter_) filter_.emplace(false, kFilterBufferSize);
      const size_t room = std::min<size_t>(destination.size(), std::numeric_limits<int>::max());
      const std::streamsize got =
          filter_->read(device_, reinterpret_cast<char*>(destination.data()), static_cast<std::streamsize>(room));
      if (!device_.status().ok()) return device_.status();
      if (got > 0) return static_cast<size_t>(got);
      if (got < 0) return size_t{0};
      return Status(Code::kCorrupt, "the decoder makes no progress", device_.offset());
    } catch (const boost::iostreams::bzip2_error& error) {
      return status_of(error.error());
    } catch (const std::bad_alloc&) {
      return Status(Code::kOutOfMemory);
    } catch (...) {
      return Status(Code::kCorrupt, nullptr, device_.offset());
    }
  }

  Status status_of(int error) const {
    namespace bzip2 = boost::iostreams::bzip2;
    if (!device_.status().ok()) return device_.status();
    if (error == bzip2::unexpected_eof) return Status(Code::kTruncated, nullptr, device_.offset());
    if (error == bzip2::data_error_magic && device_.begins_well()) {
      // Only a stream's header has that error, and the first stream's is right.
      return Status(Code::kTrailingData, nullptr, device_.offset());
    }
    return Status(Code::kCorrupt, nullptr, device_.offset());
  }

  Device device_;
  std::optional<boost::iostreams::bzip2_decompressor> filter_;
  uint64_t memory_;
};

}  // namespace

std::unique_ptr<ByteSource> make_bzip2_source(ByteSource& compressed, const Limits& limits) {
  return std::unique_ptr<ByteSource>(new (std::nothrow) Bzip2Source(compressed, limits));
}

}  // namespace glyd

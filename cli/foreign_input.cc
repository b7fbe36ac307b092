#include "cli/foreign_input.h"

namespace glyd::cli {
namespace {

constexpr size_t kSniffSize = 64;
constexpr size_t kSkippableHeaderSize = 8;
// How far a format is looked for behind skippable frames.
constexpr size_t kFarthestSniff = size_t{1} << 20;
constexpr size_t kCopySize = size_t{256} << 10;

bool is_skippable(Bytes bytes) {
  return bytes.size() >= kSkippableHeaderSize && (load_le<uint32_t>(bytes.data()) & 0xFFFFFFF0u) == 0x184D2A50u;
}

}  // namespace

Result<ForeignFormat> peek_format(PeekSource& source) {
  uint64_t offset = 0;
  while (true) {
    const Result<Bytes> window = source.peek(static_cast<size_t>(offset) + kSniffSize);
    if (!window.ok()) return window.status();
    if (window->size() <= offset) return ForeignFormat::kNone;
    const Bytes next = window->subspan(static_cast<size_t>(offset));
    if (!is_skippable(next)) return sniff_foreign(next);
    offset += kSkippableHeaderSize + load_le<uint32_t>(next.data() + 4);
    if (offset > kFarthestSniff) return ForeignFormat::kNone;
  }
}

Status restore_foreign(ForeignFormat format, const FdSource& file, ByteSource& source, const Limits& limits,
                       ByteSink& sink, Meter& meter) {
  const std::unique_ptr<ByteSource> content = open_foreign(format, source, limits);
  if (content == nullptr) return Status(Code::kOutOfMemory);
  Buffer buffer;
  if (const Status status = buffer.reserve(kCopySize); !status.ok()) return status;
  uint64_t written = 0;
  while (true) {
    const Result<size_t> got = content->read(MutableBytes(buffer.data(), kCopySize));
    if (!got.ok()) return got.status();
    if (*got == 0) break;
    if (*got > limits.output - written) return Status(Code::kOutputLimit);
    if (const Status status = sink.write(Bytes(buffer.data(), *got)); !status.ok()) return status;
    written += *got;
    meter(file.position(), written);
  }
  meter(file.position(), written);
  return {};
}

}  // namespace glyd::cli

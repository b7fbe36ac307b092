#include "cli/partial_restore.h"

#include <fmt/format.h>

#include <array>

#include "cli/file_names.h"
#include "cli/model_content.h"
#include "cli/size_text.h"
#include "codec/stream/file_source.h"
#include "codec/stream/foreign_format.h"

namespace glyd::cli {
namespace {

// Passes bytes on and counts them.
class MeteredSink : public ByteSink {
 public:
  MeteredSink(ByteSink& sink, Meter& meter) : sink_(sink), meter_(meter) {}
  Status write(Bytes bytes) override {
    const Status status = sink_.write(bytes);
    written_ += bytes.size();
    meter_(0, written_);
    return status;
  }
  Status close() override { return sink_.close(); }
  uint64_t written() const { return written_; }

 private:
  ByteSink& sink_;
  Meter& meter_;
  uint64_t written_ = 0;
};

std::string gap_text(const SalvageReport::Gap& gap) {
  const std::string where = fmt::format("damage at offset {} of the file", gap.file_offset);
  if (!gap.size_known) return fmt::format("lost: content from {} on, if there was any; {}", gap.content_offset, where);
  return fmt::format("lost: content {} to {} ({} bytes), zeros in its place; {}", gap.content_offset,
                     gap.content_offset + gap.size - 1, grouped(gap.size), where);
}

// Precondition: the content has `size` bytes from `offset` on.
MaybeFailure write_part(RangeReader& reader, uint64_t offset, uint64_t size, const DecodeOptions& options,
                        ByteSink& sink, Meter& meter) {
  if (size > options.limits.output) return failure_of(Status(Code::kOutputLimit));
  MeteredSink metered(sink, meter);
  const uint64_t end = offset + size;
  for (uint64_t at = offset; at < end;) {
    const Result<Bytes> window = reader.window(at);
    if (!window.ok()) return failure_of_glyd_file(window.status());
    const Bytes piece = window->first(static_cast<size_t>(std::min<uint64_t>(window->size(), end - at)));
    if (piece.empty()) return failure_of(Status(Code::kTruncated));
    if (const Status status = metered.write(piece); !status.ok()) return failure_of(status);
    at += piece.size();
  }
  meter(reader.info().file_bytes, metered.written());
  return std::nullopt;
}

}  // namespace

MaybeFailure restore_range(InputFile& input, const ContentRange& range, const DecodeOptions& options, ByteSink& sink,
                           Meter& meter) {
  FileSource file(input.descriptor());
  Result<std::unique_ptr<RangeReader>> opened = RangeReader::open(file, options);
  if (!opened.ok()) return failure_of_glyd_file(opened.status());
  RangeReader& reader = **opened;
  const uint64_t content = reader.info().content_size;
  const bool inside = range.offset <= content && (range.to_end || range.length <= content - range.offset);
  if (!inside) {
    return Failure{ExitCode::kFailed, fmt::format("the range reaches beyond the content, which has {} bytes", content)};
  }
  const uint64_t size = range.to_end ? content - range.offset : range.length;
  return write_part(reader, range.offset, size, options, sink, meter);
}

MaybeFailure restore_tensor(InputFile& input, const std::string& name, const DecodeOptions& options, ByteSink& sink,
                            Meter& meter) {
  FileSource file(input.descriptor());
  Result<std::unique_ptr<RangeReader>> opened = RangeReader::open(file, options);
  if (!opened.ok()) return failure_of_glyd_file(opened.status());
  ModelMap map;
  if (MaybeFailure failure = read_content_map(**opened, map)) return failure;
  const TensorEntry* tensor = nullptr;
  if (MaybeFailure failure = find_tensor(map, name, tensor)) return failure;
  return write_part(**opened, tensor->offset, tensor->size, options, sink, meter);
}

MaybeFailure restore_whole_blocks(InputFile& input, const DecodeOptions& options, ByteSink& sink, Meter& meter,
                                  Report& report, MaybeFailure& flaw) {
  FileSource file(input.descriptor());
  MeteredSink metered(sink, meter);
  const Result<SalvageReport> salvaged = salvage(file, metered, options);
  if (!salvaged.ok()) return failure_of(salvaged.status());
  const Result<uint64_t> size = file.size();
  meter(size.ok() ? *size : 0, metered.written());
  const SalvageReport& found = *salvaged;
  if (found.whole()) return std::nullopt;
  if (found.blocks == 0) return Failure{ExitCode::kCorrupt, "nothing in it is whole; no output was written"};
  const std::string name = shown_input(input.name());
  for (const SalvageReport::Gap& gap : found.gaps) report.warning(name, gap_text(gap));
  flaw = Failure{ExitCode::kCorrupt,
                 fmt::format("{} of content in {} blocks saved, {} lost", size_text(found.content_bytes), found.blocks,
                             found.gaps.size() == 1 ? "one range" : fmt::format("{} ranges", found.gaps.size()))};
  return std::nullopt;
}

MaybeFailure refuse_foreign(InputFile& input, const char* command) {
  FileSource file(input.descriptor());
  const Result<uint64_t> size = file.size();
  if (!size.ok()) return failure_of(size.status());
  std::array<uint8_t, 64> first{};
  const MutableBytes window = MutableBytes(first).first(static_cast<size_t>(std::min<uint64_t>(*size, first.size())));
  if (const Status status = file.read_at(0, window); !status.ok()) return failure_of(status);
  const ForeignFormat format = sniff_foreign(window);
  if (format == ForeignFormat::kNone) return std::nullopt;
  return Failure{ExitCode::kFailed, fmt::format("is a {} file; {} needs a glyd file", foreign_name(format), command)};
}

}  // namespace glyd::cli

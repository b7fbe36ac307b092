#include <unistd.h>

#include "cli/commands.h"
#include "cli/conversion.h"
#include "cli/file_names.h"
#include "cli/foreign_input.h"
#include "cli/partial_restore.h"
#include "codec/codec.h"
#include "codec/stream/file_source.h"
#include "codec/stream/pump.h"

namespace glyd::cli {
namespace {

// -d and -t: the second is the first into nowhere.
class Decompression : public Conversion {
 public:
  Decompression(const Options& options, Report& report) : options_(options), report_(report) {
    decode_.threads = options.threads;
    decode_.limits = options.limits();
  }

  bool wants(const std::string& name) const override { return has_known_suffix(name); }
  MaybeFailure output_name(const std::string& input, bool, std::string& output) const override {
    return restored_name(input, output);
  }
  bool is_binary() const override { return false; }
  bool may_have_holes() const override { return true; }

  MaybeFailure convert(InputFile& input, ByteSink& sink, Meter& meter) override {
    flaw_.reset();
    const char* const part = options_.part_option();
    if (part != nullptr || options_.salvage) {
      if (MaybeFailure failure = refuse_foreign(input, part != nullptr ? part : "--salvage")) return failure;
      if (options_.range) return restore_range(input, *options_.range, decode_, sink, meter);
      if (options_.tensor) return restore_tensor(input, *options_.tensor, decode_, sink, meter);
      return restore_whole_blocks(input, decode_, sink, meter, report_, flaw_);
    }
    FdSource file(input.descriptor());
    PeekSource source(file);
    const Result<ForeignFormat> format = peek_format(source);
    if (!format.ok()) return failure_of(format.status());
    if (*format != ForeignFormat::kNone) {
      const Status status = restore_foreign(*format, file, source, decode_.limits, sink, meter);
      return status.ok() ? std::nullopt : MaybeFailure(failure_of(status));
    }
    Decoder decoder(decode_);
    const Status status = pump(source, decoder, sink, meter);
    return status.ok() ? std::nullopt : MaybeFailure(failure_of_glyd_file(status));
  }

  MaybeFailure flaw() const override { return flaw_; }

 private:
  const Options& options_;
  Report& report_;
  DecodeOptions decode_;
  MaybeFailure flaw_;
};

}  // namespace

ExitCode run_decompress(const Options& options, Report& report) {
  Decompression decompression(options, report);
  return convert_files(options, report, decompression);
}

}  // namespace glyd::cli

#include "cli/commands.h"
#include "cli/conversion.h"
#include "cli/file_names.h"
#include "cli/model_content.h"
#include "codec/codec.h"
#include "codec/stream/file_source.h"
#include "codec/stream/pump.h"

namespace glyd::cli {
namespace {

class Compression : public Conversion {
 public:
  explicit Compression(const Options& options) : options_(options) {}

  bool wants(const std::string& name) const override { return !has_glyd_suffix(name); }

  MaybeFailure output_name(const std::string& input, bool force, std::string& output) const override {
    if (has_glyd_suffix(input) && !force) {
      return Failure{ExitCode::kFailed, "already has the suffix .glyd; use -f to compress it again, -d to restore it"};
    }
    output = input + std::string(kSuffix);
    return std::nullopt;
  }

  bool is_binary() const override { return true; }
  bool may_have_holes() const override { return false; }

  MaybeFailure convert(InputFile& input, ByteSink& sink, Meter& meter) override {
    FdSource file(input.descriptor());
    PeekSource source(file);
    EncodeOptions encode;
    encode.level = options_.level;
    encode.window_log = options_.window_log;
    encode.threads = options_.threads;
    encode.limits = options_.limits();
    if (const std::optional<uint64_t> size = input.remaining()) {
      encode.content_size = *size;
    } else if (input.is_regular()) {
      const Result<Bytes> first = source.peek(1);
      if (!first.ok()) return failure_of(first.status());
      if (first->empty()) encode.content_size = 0;
    }
    if (MaybeFailure failure = find_regions(input, encode)) return failure;
    Encoder encoder(encode);
    const Status status = pump(source, encoder, sink, meter);
    return status.ok() ? std::nullopt : MaybeFailure(failure_of(status));
  }

 private:
  // The encoder would look for a model file in its first block only; a file can be read at its end as well.
  MaybeFailure find_regions(const InputFile& input, EncodeOptions& encode) const {
    const auto size = static_cast<uint64_t>(input.info().st_size);
    const bool from_start = input.is_regular() && input.remaining() == size;
    if (!from_start && !options_.dtype) return std::nullopt;
    FileSource file(input.descriptor());
    return find_typed_regions(options_, file, size, encode);
  }

  const Options& options_;
};

}  // namespace

ExitCode run_compress(const Options& options, Report& report) {
  Compression compression(options);
  return convert_files(options, report, compression);
}

}  // namespace glyd::cli

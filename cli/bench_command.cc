#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/commands.h"
#include "cli/file_layout.h"
#include "cli/file_names.h"
#include "cli/input_file.h"
#include "cli/json_object.h"
#include "cli/model_content.h"
#include "cli/printable_text.h"
#include "codec/codec.h"
#include "codec/stream/file_sink.h"
#include "codec/stream/file_source.h"
#include "codec/stream/pump.h"

namespace glyd::cli {
namespace {

// Short inputs are gone through several times in a run, so that a run is long against the clock's grain.
constexpr double kShortestRun = 0.02;

// Seconds for one pass over the input: of the best run and of the worst.
struct Timing {
  double best = 0;
  double worst = 0;
};

struct Row {
  int level = 0;
  uint64_t content = 0;
  uint64_t compressed = 0;
  Timing encode;
  Timing decode;
};

double megabytes_per_second(uint64_t bytes, double seconds) {
  return seconds > 0 ? static_cast<double>(bytes) / 1e6 / seconds : 0;
}

// How far the worst run lay behind the best, in percent of the best.
double spread_percent(const Timing& timing) {
  return timing.best > 0 ? (timing.worst / timing.best - 1) * 100 : 0;
}

std::string level_text(int level) {
  return level == kLevelLz4 ? "fast" : fmt::format("{}", level);
}

// Compares what is written with what is expected.
class ComparingSink : public ByteSink {
 public:
  explicit ComparingSink(Bytes expected) : expected_(expected) {}
  Status write(Bytes bytes) override {
    const size_t left = expected_.size() - at_;
    if (bytes.size() > left || std::memcmp(bytes.data(), expected_.data() + at_, bytes.size()) != 0) {
      return Status(Code::kChecksumMismatch, "restored content differs");
    }
    at_ += bytes.size();
    return {};
  }
  Status close() override {
    return at_ == expected_.size() ? Status() : Status(Code::kChecksumMismatch, "restored content is too short");
  }

 private:
  Bytes expected_;
  size_t at_ = 0;
};

class Benchmark {
 public:
  Benchmark(const Options& options, Bytes content) : options_(options), content_(content) {
    decode_.threads = options.threads;
    decode_.limits = options.limits();
    encode_.threads = options.threads;
    encode_.content_size = content.size();
    encode_.limits = options.limits();
  }

  // To be called before the first measure().
  MaybeFailure prepare() {
    MemorySource file(content_);
    return find_typed_regions(options_, file, content_.size(), encode_);
  }

  Status measure(int level, Row& row) {
    encode_.level = level;
    encode_.window_log = level == kLevelLz4 ? 0 : options_.window_log;
    // The first pass is not timed: it finds the pages and checks that the content comes back.
    MemorySink frames;
    if (const Status status = encode(frames); !status.ok()) return status;
    ComparingSink comparing(content_);
    if (const Status status = decode(frames.bytes(), comparing); !status.ok()) return status;
    if (const Status status = comparing.close(); !status.ok()) return status;
    row.level = level;
    row.content = content_.size();
    row.compressed = frames.bytes().size();
    NullSink nowhere;
    if (const Status status = time([&] { return encode(nowhere); }, row.encode); !status.ok()) return status;
    return time([&] { return decode(frames.bytes(), nowhere); }, row.decode);
  }

 private:
  using Clock = std::chrono::steady_clock;

  Status encode(ByteSink& sink) {
    MemorySource source(content_);
    Encoder encoder(encode_);
    return pump(source, encoder, sink);
  }

  Status decode(Bytes frames, ByteSink& sink) {
    MemorySource source(frames);
    Decoder decoder(decode_);
    return pump(source, decoder, sink);
  }

  template <typename Pass>
  Status time(Pass pass, Timing& timing) {
    uint64_t passes = 1;
    for (unsigned run = 0; run < options_.bench_runs; ++run) {
      const Clock::time_point begun = Clock::now();
      for (uint64_t i = 0; i < passes; ++i) {
        if (const Status status = pass(); !status.ok()) return status;
      }
      const double run_seconds = std::chrono::duration<double>(Clock::now() - begun).count();
      const double seconds = run_seconds / static_cast<double>(passes);
      if (run == 0 && run_seconds < kShortestRun) {
        passes = static_cast<uint64_t>(kShortestRun / std::max(seconds, 1e-7)) + 1;
        if (options_.bench_runs > 1) {
          timing = {seconds, 0};  // too short to say anything about the spread
          continue;
        }
      }
      timing.best = run == 0 ? seconds : std::min(timing.best, seconds);
      timing.worst = std::max(timing.worst, seconds);
    }
    timing.worst = std::max(timing.worst, timing.best);
    return {};
  }

  const Options& options_;
  Bytes content_;
  EncodeOptions encode_;
  DecodeOptions decode_;
};

MaybeFailure load(const std::string& name, uint64_t memory_limit, std::vector<uint8_t>& content) {
  InputFile input;
  if (MaybeFailure failure = input.open(name, InputPolicy())) return failure;
  FdSource source(input.descriptor());
  constexpr size_t kStep = size_t{1} << 20;
  content.reserve(static_cast<size_t>(std::min(input.remaining().value_or(0) + kStep, memory_limit)));
  while (true) {
    const size_t have = content.size();
    if (have > memory_limit / 2) return failure_of(Status(Code::kMemoryLimit, "the file is measured in memory"));
    content.resize(have + kStep);
    const Result<size_t> got = source.read(MutableBytes(content).subspan(have));
    if (!got.ok()) return failure_of(got.status());
    content.resize(have + *got);
    if (*got == 0) break;
  }
  if (content.empty()) return Failure{ExitCode::kFailed, "is empty: there is nothing to measure"};
  return std::nullopt;
}

constexpr const char* kCsvHeader =
    "file,level,threads,runs,content_bytes,compressed_bytes,ratio,compress_mb_s,compress_spread_percent,"
    "decompress_mb_s,decompress_spread_percent\n";

// A field of RFC 4180.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

double ratio(const Row& row) {
  return static_cast<double>(row.content) / static_cast<double>(row.compressed);
}

std::string csv_row(const Options& options, const std::string& name, const Row& row) {
  return fmt::format("{},{},{},{},{},{},{:.4f},{:.2f},{:.1f},{:.2f},{:.1f}\n", csv_field(name), level_text(row.level),
                     options.threads, options.bench_runs, row.content, row.compressed, ratio(row),
                     megabytes_per_second(row.content, row.encode.best), spread_percent(row.encode),
                     megabytes_per_second(row.content, row.decode.best), spread_percent(row.decode));
}

std::string json_row(const Options& options, const std::string& name, const Row& row) {
  return JsonObject()
      .add("name", name)
      .add("operation", "bench")
      .add("level", level_text(row.level))
      .add("threads", uint64_t{options.threads})
      .add("runs", uint64_t{options.bench_runs})
      .add("input_bytes", row.content)
      .add("output_bytes", row.compressed)
      .add("ratio", ratio(row), 4)
      .add("compress_mb_s", megabytes_per_second(row.content, row.encode.best), 2)
      .add("compress_spread_percent", spread_percent(row.encode), 1)
      .add("decompress_mb_s", megabytes_per_second(row.content, row.decode.best), 2)
      .add("decompress_spread_percent", spread_percent(row.decode), 1)
      .add("seconds", row.encode.best, 6)
      .add("status", "ok")
      .text();
}

// The shape of `zstd -b`, with the spread beside each speed.
std::string table_row(const std::string& name, const Row& row) {
  const std::string shown = printable(name.substr(name.rfind('/') + 1));
  return fmt::format("{:>4}#{:<18.18}:{:>11} ->{:>11} (x{:.3f}), {:>7.1f} MB/s -{:.0f}%, {:>7.1f} MB/s -{:.0f}%\n",
                     level_text(row.level), shown, row.content, row.compressed, ratio(row),
                     megabytes_per_second(row.content, row.encode.best), spread_percent(row.encode),
                     megabytes_per_second(row.content, row.decode.best), spread_percent(row.decode));
}

class BenchCommand {
 public:
  BenchCommand(const Options& options, Report& report) : options_(options), report_(report) {
    levels_ = options.bench_levels;
    if (levels_.empty()) levels_.push_back(options.level);
  }

  ExitCode run() {
    if (options_.csv) worst_ = print_or_report(report_, kCsvHeader);
    for (const std::string& name : options_.files) run_file(name);
    return worst_;
  }

 private:
  void run_file(const std::string& name) {
    std::vector<uint8_t> content;
    if (MaybeFailure failure = load(name, options_.memory, content)) return fail(name, *failure);
    Benchmark benchmark(options_, content);
    if (MaybeFailure failure = benchmark.prepare()) return fail(name, *failure);
    for (const int level : levels_) {
      Row row;
      if (const Status status = benchmark.measure(level, row); !status.ok()) return fail(name, failure_of(status));
      show(shown_input(name), row);
    }
  }

  void show(const std::string& name, const Row& row) {
    if (options_.json) return report_.print_json(json_row(options_, name, row));
    const std::string text = options_.csv ? csv_row(options_, name, row) : table_row(name, row);
    worst_ = worse(worst_, print_or_report(report_, text));
  }

  void fail(const std::string& name, const Failure& failure) {
    worst_ = worse(worst_, failure.code);
    report_failure(report_, options_, name, Operation::kBench, failure);
  }

  const Options& options_;
  Report& report_;
  std::vector<int> levels_;
  ExitCode worst_ = ExitCode::kOk;
};

}  // namespace

ExitCode run_bench(const Options& options, Report& report) {
  return BenchCommand(options, report).run();
}

}  // namespace glyd::cli

#include "cli/conversion.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "cli/file_names.h"
#include "cli/file_walk.h"
#include "cli/output_file.h"
#include "cli/signals.h"
#include "codec/stream/file_sink.h"

namespace glyd::cli {
namespace {

enum class Destination { kNowhere, kStandardOutput, kGivenName, kDerivedName };

Destination destination_of(const Options& options, const std::string& input) {
  if (options.operation == Operation::kTest) return Destination::kNowhere;
  if (options.output == kStandardStream || options.to_stdout) return Destination::kStandardOutput;
  if (!options.output.empty()) return Destination::kGivenName;
  if (options.part_option() != nullptr || input == kStandardStream) return Destination::kStandardOutput;
  return Destination::kDerivedName;
}

// Converts one file; its own object, so that everything is closed and discarded when it goes.
class FileJob {
 public:
  FileJob(const Options& options, Report& report, Conversion& conversion, FileRecord& record)
      : options_(options), report_(report), conversion_(conversion), record_(record) {}

  MaybeFailure run(const std::string& name) {
    destination_ = destination_of(options_, name);
    if (MaybeFailure failure = open_input(name)) return failure;
    if (MaybeFailure failure = open_output(name)) return failure;
    Meter meter(report_);
    report_.begin_progress(shown_input(name), input_.remaining().value_or(0));
    NullSink nowhere;
    ByteSink& sink = destination_ == Destination::kNowhere ? nowhere : output_.sink();
    MaybeFailure failure = conversion_.convert(input_, sink, meter);
    report_.end_progress();
    record_.input_bytes = meter.bytes_in();
    record_.output_bytes = meter.bytes_out();
    if (!failure && input_.changed()) failure = failure_of(Status(Code::kSizeMismatch));
    if (failure) return failure;
    return keep(name);
  }

 private:
  MaybeFailure open_input(const std::string& name) {
    const bool beside = destination_ == Destination::kDerivedName;
    const bool removes = options_.remove_input && destination_ != Destination::kNowhere;
    InputPolicy policy;
    policy.follow_links = options_.force || !(beside || removes);
    policy.accept_pipes = !beside;
    if (MaybeFailure failure = input_.open(name, policy)) return failure;
    if (input_.is_standard() && !conversion_.is_binary() && ::isatty(input_.descriptor()) == 1) {
      return Failure{ExitCode::kFailed, "is a terminal; give a FILE, or redirect one to it (see glyd --help)"};
    }
    return std::nullopt;
  }

  MaybeFailure open_output(const std::string& name) {
    OutputPolicy policy;
    policy.overwrite = options_.force;
    policy.binary = conversion_.is_binary();
    policy.holes = conversion_.may_have_holes() && options_.sparse != Switch::kOff;
    switch (destination_) {
      case Destination::kNowhere:
        return std::nullopt;
      case Destination::kStandardOutput:
        policy.holes = conversion_.may_have_holes() && options_.sparse == Switch::kOn;
        return output_.open_standard_output(policy);
      case Destination::kGivenName:
        record_.output_name = options_.output;
        return output_.open(options_.output, input_, policy);
      case Destination::kDerivedName:
        if (MaybeFailure failure = conversion_.output_name(name, options_.force, record_.output_name)) return failure;
        return output_.open(record_.output_name, input_, policy);
    }
    return std::nullopt;
  }

  // The output gets its name, and the input loses its own when that was asked for.
  MaybeFailure keep(const std::string& name) {
    const MaybeFailure flaw = conversion_.flaw();
    const bool to_file = destination_ == Destination::kGivenName || destination_ == Destination::kDerivedName;
    const bool remove = options_.remove_input && to_file && !input_.is_standard() && !flaw;
    if (destination_ != Destination::kNowhere) {
      if (MaybeFailure failure = output_.commit(input_, remove)) return failure;
    }
    if (options_.remove_input && destination_ == Destination::kStandardOutput && !input_.is_standard()) {
      report_.warning(name, "kept: --rm removes nothing when the output goes to standard output");
    }
    if (remove) {
      if (MaybeFailure failure = input_.remove()) return failure;
    }
    return flaw;
  }

  const Options& options_;
  Report& report_;
  Conversion& conversion_;
  FileRecord& record_;
  Destination destination_ = Destination::kNowhere;
  InputFile input_;
  OutputFile output_;  // after the input: discarded first
};

}  // namespace

bool data_goes_to_stdout(const Options& options) {
  if (options.operation != Operation::kCompress && options.operation != Operation::kDecompress) return false;
  const auto to_stdout = [&](const std::string& name) {
    return destination_of(options, name) == Destination::kStandardOutput;
  };
  if (options.files.empty()) return to_stdout(std::string(kStandardStream));
  return std::any_of(options.files.begin(), options.files.end(), to_stdout);
}

ExitCode convert_files(const Options& options, Report& report, Conversion& conversion) {
  const InputList inputs =
      list_inputs(options, report, [&](const std::string& name) { return conversion.wants(name); });
  ExitCode worst = inputs.worst;
  for (const std::string& name : inputs.names) {
    FileRecord record;
    record.name = shown_input(name);
    record.operation = options.operation;
    const auto begun = std::chrono::steady_clock::now();
    record.failure = FileJob(options, report, conversion, record).run(name);
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (record.failure && record.failure->broken_pipe) {
      report.end_progress();
      die_of_broken_pipe();
    }
    report.finished(record);
    if (record.failure) worst = worse(worst, record.failure->code);
  }
  return worst;
}

}  // namespace glyd::cli

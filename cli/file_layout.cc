#include "cli/file_layout.h"

#include "cli/file_names.h"
#include "cli/input_file.h"
#include "cli/partial_restore.h"
#include "cli/signals.h"
#include "codec/stream/file_source.h"

namespace glyd::cli {

MaybeFailure read_layout(const std::string& name, const char* command, LayoutDetail detail, FileInfo& info) {
  InputFile input;
  if (MaybeFailure failure = input.open(name, InputPolicy())) return failure;
  if (MaybeFailure failure = refuse_foreign(input, command)) return failure;
  FileSource file(input.descriptor());
  Result<FileInfo> result = inspect(file, detail == LayoutDetail::kWithPlans);
  if (!result.ok()) return failure_of_glyd_file(result.status());
  info = std::move(*result);
  return std::nullopt;
}

void report_failure(Report& report, const Options& options, const std::string& name, Operation operation,
                    const Failure& failure) {
  FileRecord record;
  record.name = shown_input(name);
  record.operation = operation;
  record.failure = failure;
  if (options.json) {
    report.finished(record);
  } else {
    report.error(record.name, failure.text);
  }
}

ExitCode print_or_report(Report& report, const std::string& text) {
  const MaybeFailure failure = report.print(text);
  if (!failure) return ExitCode::kOk;
  if (failure->broken_pipe) die_of_broken_pipe();
  report.error("standard output", failure->text);
  return failure->code;
}

}  // namespace glyd::cli

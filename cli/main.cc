#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/conversion.h"
#include "cli/exit_code.h"
#include "cli/file_layout.h"
#include "cli/report.h"
#include "cli/signals.h"

// The command: parse, hand over to the command asked for, turn what it says into an exit code.
namespace glyd::cli {
namespace {

ExitCode run(const Options& options, Report& report) {
  switch (options.operation) {
    case Operation::kCompress:
      return run_compress(options, report);
    case Operation::kDecompress:
    case Operation::kTest:
      return run_decompress(options, report);
    case Operation::kList:
      return run_list(options, report);
    case Operation::kInfo:
      return run_info(options, report);
    case Operation::kBench:
      return run_bench(options, report);
    case Operation::kCompletion:
      return run_completion(options, report);
    case Operation::kHelp:
    case Operation::kVersion:
      return print_or_report(report, options.text);
  }
  return ExitCode::kFailed;
}

ExitCode run(const std::vector<std::string>& words) {
  const CommandLine line = parse_command_line(words);
  Report report(line.options, line.error.empty() && data_goes_to_stdout(line.options));
  if (!line.error.empty()) {
    report.usage_error(line.error);
    return ExitCode::kUsage;
  }
  return run(line.options, report);
}

}  // namespace
}  // namespace glyd::cli

int main(int argc, char** argv) {
  using glyd::cli::ExitCode;
  glyd::cli::occupy_standard_descriptors();
  glyd::cli::install_signal_handlers();
  try {
    return static_cast<int>(glyd::cli::run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc)));
  } catch (const std::exception& error) {  // memory for a name or a message: nothing better can be done
    std::fprintf(stderr, "glyd: %s\n", error.what());
    return static_cast<int>(ExitCode::kFailed);
  }
}

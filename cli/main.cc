#include <fcntl.h>
#include <unistd.h>

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

// Makes sure that descriptors 0 to 2 are taken, so that no file is opened where messages are written to. A stream that
// the parent has closed stays unusable.
void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // For the wrong direction, so that using it fails as it would on a closed one. The lowest free number is given.
    [[maybe_unused]] const int same = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

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

int run_main(int argc, char** argv) {
  occupy_standard_descriptors();
  install_signal_handlers();
  try {
    return static_cast<int>(run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc)));
  } catch (const std::exception& error) {  // memory for a name or a message: nothing better can be done
    std::fprintf(stderr, "glyd: %s\n", error.what());
    return static_cast<int>(ExitCode::kFailed);
  }
}

}  // namespace
}  // namespace glyd::cli

int main(int argc, char** argv) {
  return glyd::cli::run_main(argc, argv);
}

#pragma once

#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/report.h"

// The commands, one file each. Every one reports for itself and returns the exit code.
namespace glyd::cli {

// compress_command.cc
ExitCode run_compress(const Options& options, Report& report);
// decompress_command.cc: -d, with --range and --salvage too, and -t
ExitCode run_decompress(const Options& options, Report& report);
// list_command.cc: -l
ExitCode run_list(const Options& options, Report& report);
// info_command.cc
ExitCode run_info(const Options& options, Report& report);
// bench_command.cc
ExitCode run_bench(const Options& options, Report& report);
// completion_command.cc
ExitCode run_completion(const Options& options, Report& report);

}  // namespace glyd::cli

#pragma once

#include <string>

#include "cli/exit_code.h"
#include "cli/failure.h"
#include "cli/options.h"
#include "cli/report.h"
#include "codec/codec.h"

// What the commands share that look at files without decoding them.
namespace glyd::cli {

enum class LayoutDetail { kSizes, kWithPlans };

// Reads headers and seek tables of the file `name`, and for kWithPlans the header of each block too.
// `command` is how the user called for it, for the messages.
MaybeFailure read_layout(const std::string& name, const char* command, LayoutDetail detail, FileInfo& info);

// Tells the user, or the machine with --json, that nothing could be said about a file.
void report_failure(Report& report, const Options& options, const std::string& name, Operation operation,
                    const Failure& failure);

// Prints to standard output; when that fails, says so and returns the exit code.
ExitCode print_or_report(Report& report, const std::string& text);

}  // namespace glyd::cli

#pragma once

#include <optional>
#include <string>

#include "cli/exit_code.h"
#include "codec/base/status.h"

namespace glyd::cli {

// Why something could not be done for one file: what the user reads after the file's name, and the exit code.
struct Failure {
  ExitCode code = ExitCode::kFailed;
  std::string text;
  bool broken_pipe = false;  // standard output was closed by its reader: the command ends by SIGPIPE
};

// Nothing, or the failure. Used like a Status one floor higher, where texts are made.
using MaybeFailure = std::optional<Failure>;

// The failure that a status stands for, with what to do about it.
Failure failure_of(const Status& status);

// The same for an input that is a glyd file, from which --salvage may take what is whole.
Failure failure_of_glyd_file(const Status& status);

// "could not <what>: <text of errno>", or the text alone without `what`.
Failure system_failure(const std::string& what, int error_number);

}  // namespace glyd::cli

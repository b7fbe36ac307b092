#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/report.h"

namespace glyd::cli {

struct InputList {
  std::vector<std::string> names;
  ExitCode worst = ExitCode::kOk;  // of the folders that could not be read
};

// The inputs of a command: options.files ("-" when there are none), where with --recursive each folder is
// replaced by the regular files below it that `wanted` accepts, in the order of their names. Links below a
// folder are not followed. The whole list is made before anything is written, so that outputs don't become
// inputs.
InputList list_inputs(const Options& options, Report& report, const std::function<bool(const std::string&)>& wanted);

}  // namespace glyd::cli

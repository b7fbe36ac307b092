#pragma once

#include <string>

#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/report.h"

namespace glyd::cli {

// `glyd info --tensors`: prints the tensors of the model file inside the glyd file `name`, as a table or with --json as
// one object, or tells `report` why that cannot be done.
ExitCode show_tensors(const std::string& name, const Options& options, Report& report);

}  // namespace glyd::cli

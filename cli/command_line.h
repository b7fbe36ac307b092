#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace glyd::cli {

struct CommandLine {
  Options options;
  std::string error;  // a usage error; then `options` is not to be used
};

// Parses `words` (without the program's name) and checks that what they ask for makes sense together. A
// command (info, bench, completion) must be the first word; a file of such a name is reached as "./info" or
// after "--". Prints nothing, touches no file and never throws.
CommandLine parse_command_line(const std::vector<std::string>& words);

}  // namespace glyd::cli

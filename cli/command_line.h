#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

// The command line: its grammar as a CLI11 tree, and the check that what was asked for makes sense together.
namespace CLI {
class App;
}

namespace glyd::cli {

// The tree of all commands and options, for the help texts and the completion scripts. Parsing an option through it
// writes into `options`, which must outlive the tree.
class CommandTree {
 public:
  explicit CommandTree(Options& options);
  ~CommandTree();
  CommandTree(const CommandTree&) = delete;
  CommandTree& operator=(const CommandTree&) = delete;

  const CLI::App& root() const { return *root_; }
  // The command named `name`, or nullptr.
  CLI::App* find_command(const std::string& name) const;
  CLI::App& root() { return *root_; }

 private:
  std::unique_ptr<CLI::App> root_;
};

struct CommandLine {
  Options options;
  std::string error;  // a usage error; then `options` is not to be used
};

// Parses `words` (without the program's name). A command (info, bench, completion) must be the first word; a file of
// such a name is reached as "./info" or after "--". Prints nothing and never throws.
CommandLine parse_command_line(const std::vector<std::string>& words);

}  // namespace glyd::cli

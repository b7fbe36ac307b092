#include <string>
#include <vector>

#include "cli/command_line.h"

// The input is a command line, one word after each NUL. Parsing it must neither throw nor crash, and gives options
// or a text that says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == 0) {
      words.emplace_back();
    } else {
      words.back().push_back(static_cast<char>(data[i]));
    }
  }
  const glyd::cli::CommandLine line = glyd::cli::parse_command_line(words);
  static_cast<void>(line);
  return 0;
}

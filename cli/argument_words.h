#pragma once

#include <string>
#include <string_view>
#include <vector>

// Brings a command line into the one shape that the option tree reads.
namespace glyd::cli {

// What an option takes after its name. An optional value can only follow "=", so that in `--fast FILE` the
// file stays a file.
enum class ValueKind { kNone, kRequired, kOptional };

struct OptionName {
  std::string long_name;  // without dashes
  std::vector<char> short_names;
  ValueKind value = ValueKind::kNone;
  std::string bare_value;  // of kOptional: what the option means without one
};

struct PreparedWords {
  std::vector<std::string> options;  // "--name" or "--name=value", long names only
  std::vector<std::string> files;    // all the rest, in order
  std::string error;                 // a usage error: the rest is not to be used
};

// Takes apart clusters of short options (-dkf, -19f, -T0, -T 2), gives every value to its option, turns digits into
// "--level=N", and stops at "--".
PreparedWords prepare_words(const std::vector<std::string>& words, const std::vector<OptionName>& known);

}  // namespace glyd::cli

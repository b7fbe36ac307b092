#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/options.h"

namespace CLI {
class App;
}

// The grammar of the command line as a CLI11 tree. Parsing, the help texts and the completion scripts all
// come from it.
namespace glyd::cli {

inline constexpr const char* kProgramName = "glyd";

// The names that parse_command_line() and the texts give a meaning of their own.
inline constexpr std::string_view kLevelOption = "level";  // written -1 ... -19 by users
inline constexpr std::string_view kFastOption = "fast";
inline constexpr std::string_view kLongOption = "long";
inline constexpr std::string_view kTensorOption = "tensor";
// What --fast and --long mean without a value.
inline constexpr std::string_view kBareFast = "lz4";
inline constexpr std::string_view kBareLong = "27";
// What parse_command_line() puts in front of the value of --tensor.
inline constexpr std::string_view kTensorMark = "=";

// Builds the options of the compressor and, below it, the commands. An option that is parsed writes into
// `options` at once, in the order of the command line, so that the last one of a pair counts; a value that
// makes no sense is thrown as CLI::ParseError. `options` must outlive the tree.
std::unique_ptr<CLI::App> build_command_tree(Options& options);

// The command of that name, or nullptr.
CLI::App* find_command(CLI::App& root, std::string_view name);

// Reads "1-19" or "fast,-5,1,3,19" into levels for `glyd bench`. Empty when it is neither.
std::vector<int> parse_level_list(std::string_view text);

// Reads OFFSET:LENGTH. Nothing when it is not that.
std::optional<ContentRange> parse_range(std::string_view text);

}  // namespace glyd::cli

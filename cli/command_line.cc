#include "cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/argument_words.h"
#include "cli/command_tree.h"
#include "cli/help_text.h"

namespace glyd::cli {
namespace {

// What prepare_words() needs to know of the options of `app`.
std::vector<OptionName> option_names(const CLI::App& app) {
  std::vector<OptionName> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty()) continue;
    OptionName& name = names.emplace_back();
    name.long_name = option->get_lnames().front();
    for (const std::string& short_name : option->get_snames()) name.short_names.push_back(short_name.front());
    if (option->get_items_expected_max() == 0) continue;
    name.value = option->get_items_expected_min() == 0 ? ValueKind::kOptional : ValueKind::kRequired;
    if (name.long_name == kFastOption) name.bare_value = kBareFast;
    if (name.long_name == kLongOption) name.bare_value = kBareLong;
  }
  return names;
}

// CLI11 takes a value in brackets for a list. A file is the same with "./" in front; the name of a tensor gets a
// letter that its action takes off again.
void protect_brackets(std::string& word) {
  const size_t value = word.find('=') + 1;
  if (value > 0 && word.substr(2, value - 3) == kTensorOption) {
    word.insert(value, kTensorMark);
    return;
  }
  if (value > 0 && word[value] == '[') word.insert(value, "./");
}

// Runs the words through the tree. Returns the error, empty when there is none.
std::string parse_options(CLI::App& app, std::vector<std::string> words) {
  for (std::string& word : words) protect_brackets(word);
  std::reverse(words.begin(), words.end());  // CLI11 reads from the back
  try {
    app.parse(std::move(words));
  } catch (const CLI::ValidationError& error) {
    return error.what();
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return {};
}

uint64_t half_of_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_size <= 0) return Limits::kDefaultMemory;
  return static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_size) / 2;
}

bool encodes(Operation operation) {
  return operation == Operation::kCompress || operation == Operation::kBench;
}
bool decodes_to_output(Operation operation) {
  return operation == Operation::kDecompress;
}
bool writes_output(Operation operation) {
  return operation == Operation::kCompress || decodes_to_output(operation);
}

// Rules between options that the tree does not know. Returns the error, empty when there is none.
std::string check_output_rules(const Options& o) {
  if (!o.output.empty() && !writes_output(o.operation)) return "--output has no meaning here: nothing is written";
  if (!o.output.empty() && o.output != "-" && o.to_stdout) return "choose one of --stdout and --output";
  if (!o.output.empty() && o.output != "-" && o.files.size() > 1) {
    return "--output takes one input; for several, leave it out or write to standard output with -c";
  }
  if (!o.output.empty() && o.output != "-" && o.recursive) return "--output does not go with --recursive";
  return {};
}

std::string check_decoding_rules(const Options& o) {
  if (o.salvage && !decodes_to_output(o.operation)) return "--salvage goes with -d";
  if (o.range && o.tensor) return "choose one of --range and --tensor";
  const char* const part = o.part_option();
  if (part == nullptr) return {};
  const std::string name = part;
  if (!decodes_to_output(o.operation)) return name + " goes with -d";
  if (o.salvage) return "choose one of " + name + " and --salvage";
  if (o.recursive) return name + " does not go with --recursive";
  if (o.remove_input) return "--rm does not go with " + name + ": the rest of the content would be lost";
  return {};
}

std::string check_encoding_rules(const Options& o) {
  if (!encodes(o.operation)) return {};
  if (o.level == kLevelLz4 && o.window_log != 0 && o.bench_levels.empty()) {
    return "--fast without a number has no long window; use --fast=N with --long";
  }
  return {};
}

std::string check_command_rules(Options& o) {
  if (o.operation == Operation::kBench) {
    if (o.files.empty()) return "bench needs a file";
    if (o.csv && o.json) return "choose one of --csv and --json";
  }
  if (o.operation == Operation::kInfo && o.files.empty()) return "info needs a file";
  if (o.operation == Operation::kCompletion) {
    if (o.files.size() != 1 || (o.files[0] != "bash" && o.files[0] != "zsh" && o.files[0] != "fish")) {
      return "completion needs the name of a shell: bash, zsh or fish";
    }
    o.shell = o.files[0];
  }
  return {};
}

std::string check(Options& o) {
  for (const auto& rules : {check_output_rules, check_decoding_rules, check_encoding_rules}) {
    if (std::string error = rules(o); !error.empty()) return error;
  }
  return check_command_rules(o);
}

Operation command_operation(const std::string& name) {
  if (name == "info") return Operation::kInfo;
  if (name == "bench") return Operation::kBench;
  return Operation::kCompletion;
}

void parse(const std::vector<std::string>& words, CommandLine& line) {
  Options& options = line.options;
  const std::unique_ptr<CLI::App> root = build_command_tree(options);
  CLI::App* app = words.empty() ? nullptr : find_command(*root, words.front());
  std::vector<std::string> rest = words;
  if (app != nullptr) {
    options.operation = command_operation(words.front());
    if (options.operation == Operation::kBench) options.threads = 1;
    rest.erase(rest.begin());
  } else {
    app = root.get();
  }
  PreparedWords prepared = prepare_words(rest, option_names(*app));
  line.error = std::move(prepared.error);
  if (line.error.empty()) line.error = parse_options(*app, std::move(prepared.options));
  if (!line.error.empty()) return;
  options.files = std::move(prepared.files);
  if (options.memory == 0) options.memory = half_of_memory();
  if (options.operation == Operation::kHelp) {
    options.text = help_text(*app);
  } else if (options.operation == Operation::kVersion) {
    options.text = version_text();
  } else {
    line.error = check(options);
  }
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& words) {
  CommandLine line;
  try {
    parse(words, line);
  } catch (const std::exception& error) {  // out of memory, or a mistake in the tree
    line.error = error.what();
  }
  return line;
}

}  // namespace glyd::cli

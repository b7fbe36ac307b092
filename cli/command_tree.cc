#include "cli/command_tree.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/size_text.h"

namespace glyd::cli {
namespace {

constexpr const char* kWhat = "What to do";
constexpr const char* kStrength = "Strength";
constexpr const char* kFiles = "Files";
constexpr const char* kResources = "Resources";
constexpr const char* kMessages = "Messages";

constexpr uint64_t kMaxThreads = 1024;
constexpr uint64_t kMaxRuns = 10000;

[[noreturn]] void reject(const std::string& option, const std::string& text) {
  throw CLI::ValidationError(option, text);
}

uint64_t number_or_reject(const std::string& option, const std::string& text, uint64_t low, uint64_t high) {
  const std::optional<uint64_t> number = parse_number(text, low, high);
  if (!number) reject(option, fmt::format("'{}' is not a number from {} to {}", text, low, high));
  return *number;
}

uint64_t size_or_reject(const std::string& option, const std::string& text) {
  const std::optional<uint64_t> size = parse_size(text);
  if (!size) reject(option, fmt::format("'{}' is not a size such as 1000, 64K, 512M or 2G", text));
  return *size;
}

// --help and --version win over whatever else is asked for.
void choose(Options& options, Operation operation) {
  if (options.operation != Operation::kHelp && options.operation != Operation::kVersion) options.operation = operation;
}

// Adds options to one app; each acts at once when it is parsed.
class TreeBuilder {
 public:
  TreeBuilder(CLI::App& app, Options& options) : app_(app), options_(options) {}

  void group(const char* name) { group_ = name; }

  template <typename Action>
  CLI::Option* flag(const char* names, const char* description, Action action) {
    Options& options = options_;
    return finish(app_.add_flag_callback(
        names, [&options, action] { action(options); }, description));
  }

  template <typename Action>
  CLI::Option* value(const char* names, const char* value_name, const char* description, Action action) {
    Options& options = options_;
    return finish(app_.add_option_function<std::string>(
                          names, [&options, action](const std::string& text) { action(options, text); }, description)
                      ->type_name(value_name));
  }

 private:
  CLI::Option* finish(CLI::Option* option) {
    return option->group(group_)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->trigger_on_parse();
  }

  CLI::App& app_;
  Options& options_;
  const char* group_ = "";
};

// The kinds of text that are found in headers are no arrays.
bool is_array_type(ElementType type) {
  return type == ElementType::kBytes || !is_text(type);
}

std::string array_type_names() {
  std::string names;
  for (const ElementTypeInfo& info : kElementTypes) {
    if (!is_array_type(info.type)) continue;
    if (!names.empty()) names += ", ";
    names += info.name;
  }
  return names;
}

void add_strength(TreeBuilder& add) {
  add.group(kStrength);
  add.value("--level", "", "level: faster ... smaller; -3 when none is given", [](Options& o, const std::string& text) {
    const std::optional<uint64_t> level = parse_number(text, 1, kMaxLevel);
    if (!level) reject("-" + text, fmt::format("levels are -1 to -{}", kMaxLevel));
    o.level = static_cast<int>(*level);
  });
  add.value("--fast", "N", "the speed and size of LZ4; with N (1 to 1000) zstd's level -N",
            [](Options& o, const std::string& text) {
              o.level =
                  text == kBareFast ? kLevelLz4 : -static_cast<int>(number_or_reject("--fast", text, 1, kMaxFast));
            })
      ->expected(0, 1);
  add.value("--long", "N",
            "find repetitions 2^N bytes apart (20 to 31; 27 when N is left out); takes more memory both ways",
            [](Options& o, const std::string& text) {
              o.window_log = static_cast<int>(number_or_reject("--long", text, kMinWindowLog, kMaxWindowLog));
            })
      ->expected(0, 1);
  add.value("--dtype", "TYPE", "take every file as an array of this type without a header, such as bf16 or fp32",
            [](Options& o, const std::string& text) {
              const ElementTypeInfo* const info = find_element_type(std::string_view(text));
              if (info == nullptr || !is_array_type(info->type)) {
                reject("--dtype", fmt::format("'{}' is none of {}", text, array_type_names()));
              }
              o.dtype = info->type;
            });
}

void add_threads_and_memory(TreeBuilder& add, const char* threads_text) {
  add.group(kResources);
  add.value("-T,--threads", "N", threads_text, [](Options& o, const std::string& text) {
    o.threads = static_cast<unsigned>(number_or_reject("--threads", text, 0, kMaxThreads));
  });
  add.value("-M,--memory", "SIZE", "use no more memory than this; half of the machine's when not given",
            [](Options& o, const std::string& text) {
              o.memory = size_or_reject("--memory", text);
              if (o.memory == 0) reject("--memory", "0 is too little");
            });
}

void add_operations(TreeBuilder& add) {
  add.group(kWhat);
  add.flag("-d,--decompress", "restore; also reads gzip, bzip2, xz, lzma, zstd and lz4 files",
           [](Options& o) { choose(o, Operation::kDecompress); });
  add.flag("-t,--test", "decode and check everything, write nothing", [](Options& o) { choose(o, Operation::kTest); });
  add.flag("-l,--list", "show sizes, ratio, blocks and check; decodes nothing",
           [](Options& o) { choose(o, Operation::kList); });
}

void add_file_options(TreeBuilder& add) {
  add.group(kFiles);
  add.flag("-c,--stdout", "write to standard output", [](Options& o) { o.to_stdout = true; });
  add.value("-o,--output", "FILE", "write to FILE (one input only); '-' is standard output",
            [](Options& o, const std::string& text) {
              if (!o.output.empty()) reject("--output", "can be given only once");
              o.output = text;
            });
  add.flag("-k,--keep", "keep the input (this is the default)", [](Options& o) { o.remove_input = false; });
  add.flag("--rm", "remove the input once the output is complete", [](Options& o) { o.remove_input = true; });
  add.flag("-f,--force", "overwrite; follow symbolic links; accept names that end in .glyd; write to a terminal",
           [](Options& o) { o.force = true; });
  add.flag("--recursive", "all regular files in the folders given (-r is kept for record mode)",
           [](Options& o) { o.recursive = true; });
  add.value("--range", "OFFSET:LENGTH",
            "with -d: only these bytes of the content, to standard output unless -o is given",
            [](Options& o, const std::string& text) {
              o.range = parse_range(text);
              if (!o.range) reject("--range", fmt::format("'{}' is not OFFSET:LENGTH, such as 1M:64K or 4096:", text));
            });
  add.value("--tensor", "NAME", "with -d: only this tensor of a model file, to standard output unless -o is given",
            [](Options& o, const std::string& text) { o.tensor = text.substr(kTensorMark.size()); });
  add.flag("--salvage", "with -d: write the blocks that are whole, zeros for those that are lost",
           [](Options& o) { o.salvage = true; });
  add.flag("--sparse", "leave holes in the output for runs of zeros; the default for files",
           [](Options& o) { o.sparse = Switch::kOn; });
  add.flag("--no-sparse", "write zeros as they are", [](Options& o) { o.sparse = Switch::kOff; });
}

void add_messages(TreeBuilder& add, bool with_progress) {
  add.group(kMessages);
  add.flag("-v,--verbose", "say more; can be repeated", [](Options& o) { ++o.verbose; });
  add.flag("-q,--quiet", "say less: no summaries and warnings; twice: no errors either", [](Options& o) { ++o.quiet; });
  if (with_progress) {
    add.flag("--progress", "show progress, also when standard error is not a terminal",
             [](Options& o) { o.progress = Switch::kOn; });
    add.flag("--no-progress", "show no progress", [](Options& o) { o.progress = Switch::kOff; });
  }
  add.flag("--json", "one JSON object for each file, on standard output (on standard error when data goes there)",
           [](Options& o) { o.json = true; });
  add.flag("--no-color", "no colours; so does the environment variable NO_COLOR",
           [](Options& o) { o.no_color = true; });
}

// A CLI11 app brings a help flag of its own, which throws; here help is an option like the others.
void add_help(TreeBuilder& add) {
  add.group(kMessages);
  add.flag("-h,--help", "show this text", [](Options& o) { choose(o, Operation::kHelp); });
}

// File names are taken from the command line before CLI11 sees it; this is for the texts made from the tree.
CLI::Option* add_positional(CLI::App& app, const char* name, const char* description) {
  return app
      .add_option(
          name, [](const CLI::results_t&) { return true; }, description)
      ->type_name("")
      ->group("");
}

void add_file_names(CLI::App& app, const char* description) {
  add_positional(app, "FILE", description)->expected(0, -1);
}

void build_info(CLI::App& root, Options& options) {
  CLI::App* app = root.add_subcommand("info", "show what is in a glyd file: frames, plans, blocks");
  app->set_help_flag();
  TreeBuilder add(*app, options);
  add.group(kWhat);
  add.flag("--tensors", "show the tensors of the model file inside instead: place, size, type, shape, name",
           [](Options& o) { o.list_tensors = true; });
  add_messages(add, false);
  add_help(add);
  add_file_names(*app, "glyd files");
}

void build_bench(CLI::App& root, Options& options) {
  CLI::App* app = root.add_subcommand("bench", "measure the levels on a file, in memory");
  app->set_help_flag();
  TreeBuilder add(*app, options);
  add.group("Measurement");
  add.value("--levels", "LIST", "levels to measure: 1-19, or a list such as fast,-5,1,3,19; 3 when not given",
            [](Options& o, const std::string& text) {
              o.bench_levels = parse_level_list(text);
              if (o.bench_levels.empty()) {
                reject("--levels",
                       fmt::format("'{}' is not a range such as 1-19 or a list such as fast,-5,1,3,19", text));
              }
            });
  add.value("--runs", "N", "repeat N times and keep the best; 5 when not given",
            [](Options& o, const std::string& text) {
              o.bench_runs = static_cast<unsigned>(number_or_reject("--runs", text, 1, kMaxRuns));
            });
  add.flag("--csv", "print comma-separated values", [](Options& o) { o.csv = true; });
  add_strength(add);
  add_threads_and_memory(add, "worker threads, 0 = all processors; 1 when not given");
  add_messages(add, false);
  add_help(add);
  add_file_names(*app, "files to measure with");
}

void build_completion(CLI::App& root, Options& options) {
  CLI::App* app = root.add_subcommand("completion", "print a completion script for bash, zsh or fish");
  app->set_help_flag();
  TreeBuilder add(*app, options);
  add_help(add);
  add_positional(*app, "SHELL", "bash, zsh or fish");
}

}  // namespace

std::unique_ptr<CLI::App> build_command_tree(Options& options) {
  auto root = std::make_unique<CLI::App>("Lossless compression that knows what it is looking at.", kProgramName);
  root->set_help_flag();
  TreeBuilder add(*root, options);
  add_operations(add);
  add_strength(add);
  add_file_options(add);
  add_threads_and_memory(add, "worker threads, 0 = all processors (the default)");
  add.value("--max-output", "SIZE", "when restoring: refuse to produce more than this",
            [](Options& o, const std::string& text) { o.max_output = size_or_reject("--max-output", text); });
  add_messages(add, true);
  add_help(add);
  add.flag("-V,--version", "show the version", [](Options& o) { choose(o, Operation::kVersion); });
  add_file_names(*root, "files; none or '-' is standard input");
  build_info(*root, options);
  build_bench(*root, options);
  build_completion(*root, options);
  return root;
}

CLI::App* find_command(CLI::App& root, std::string_view name) {
  for (CLI::App* command : root.get_subcommands([](CLI::App*) { return true; })) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::vector<int> parse_level_list(std::string_view text) {
  std::vector<int> levels;
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const size_t dash = item.find('-', 1);
    if (item == "fast") {
      levels.push_back(kLevelLz4);
    } else if (item.starts_with('-')) {
      const std::optional<uint64_t> fast = parse_number(item.substr(1), 1, kMaxFast);
      if (!fast) return {};
      levels.push_back(-static_cast<int>(*fast));
    } else {
      const std::optional<uint64_t> first = parse_number(item.substr(0, dash), 1, kMaxLevel);
      const std::optional<uint64_t> last =
          dash == std::string_view::npos ? first : parse_number(item.substr(dash + 1), 1, kMaxLevel);
      if (!first || !last || *first > *last) return {};
      for (uint64_t level = *first; level <= *last; ++level) levels.push_back(static_cast<int>(level));
    }
    if (comma == std::string_view::npos) return levels;
    text.remove_prefix(comma + 1);
  }
}

std::optional<ContentRange> parse_range(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::optional<uint64_t> offset = parse_size(text.substr(0, colon));
  const std::string_view length_text = text.substr(colon + 1);
  if (!offset) return std::nullopt;
  if (length_text.empty()) return ContentRange{*offset, 0, true};
  const std::optional<uint64_t> length = parse_size(length_text);
  if (!length || *offset + *length < *offset) return std::nullopt;
  return ContentRange{*offset, *length, false};
}

}  // namespace glyd::cli

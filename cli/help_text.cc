#include "cli/help_text.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command_tree.h"

namespace glyd::cli {
namespace {

constexpr size_t kNamesWidth = 26;
constexpr size_t kLineWidth = 79;

// "-T, --threads N", "--fast[=N]", "-1 ... -19".
std::string names_text(const CLI::Option& option) {
  const std::string& long_name = option.get_lnames().front();
  if (long_name == kLevelOption) return fmt::format("-1 ... -{}", kMaxLevel);
  std::string text;
  for (const std::string& name : option.get_snames()) text += fmt::format("-{}, ", name);
  if (text.empty()) text = "    ";
  text += "--" + long_name;
  if (option.get_items_expected_max() > 0) {
    const bool optional = option.get_items_expected_min() == 0;
    text += optional ? "[=" + option.get_type_name() + "]" : " " + option.get_type_name();
  }
  return text;
}

// One entry: names in the left column, the description beside them, its further lines below it.
void append_entry(std::string& out, const std::string& names, std::string description) {
  out += fmt::format("  {:<{}}", names, kNamesWidth - 2);
  if (names.size() + 3 > kNamesWidth) out += "\n" + std::string(kNamesWidth, ' ');
  constexpr size_t kWidth = kLineWidth - kNamesWidth;
  while (description.size() > kWidth) {
    const size_t cut = description.rfind(' ', kWidth);
    if (cut == std::string::npos) break;
    out += description.substr(0, cut) + "\n" + std::string(kNamesWidth, ' ');
    description.erase(0, cut + 1);
  }
  out += description + "\n";
}

std::string usage_text(const CLI::App& app) {
  if (app.get_name() == kProgramName) {
    return "Usage: glyd [options] [FILE...]          compress\n"
           "       glyd -d [options] [FILE...]       decompress\n"
           "       glyd -t | -l [options] FILE...    test, list\n"
           "       glyd COMMAND [options] FILE...\n";
  }
  const bool completion = app.get_name() == "completion";
  return fmt::format("Usage: glyd {} [options] {}\n", app.get_name(), completion ? "bash|zsh|fish" : "FILE...");
}

void append_groups(std::string& out, const CLI::App& app) {
  for (const std::string& group : app.get_groups()) {
    if (group.empty()) continue;
    const auto options = app.get_options(
        [&](const CLI::Option* option) { return option->get_group() == group && !option->get_lnames().empty(); });
    if (options.empty()) continue;
    out += fmt::format("\n{}:\n", group);
    for (const CLI::Option* option : options) append_entry(out, names_text(*option), option->get_description());
  }
}

void append_commands(std::string& out, const CLI::App& app) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (commands.empty()) return;
  out += "\nCommands (as the first word; a file of such a name is ./info, for example):\n";
  for (const CLI::App* command : commands) append_entry(out, command->get_name(), command->get_description());
}

}  // namespace

std::string help_text(const CLI::App& app) {
  const bool is_command = app.get_name() != kProgramName;
  const std::string title = is_command ? fmt::format("glyd {}: ", app.get_name()) : "";
  std::string out = fmt::format("{}{}\n\n{}", title, app.get_description(), usage_text(app));
  append_groups(out, app);
  append_commands(out, app);
  if (!is_command) {
    out +=
        "\nWithout FILE, or with -, standard input goes to standard output. Files get and\n"
        "lose the suffix .glyd. SIZE takes K, M, G and T, powers of 1024.\n"
        "Exit status: 0 done, 1 failed, 2 usage, 3 corrupt input, 4 limit reached.\n"
        "More: man glyd\n";
  }
  return out;
}

std::string version_text() {
  return "glyd " GLYD_VERSION " (format version 1)\n";
}

}  // namespace glyd::cli

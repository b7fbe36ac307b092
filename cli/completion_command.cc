#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/file_layout.h"

// Completion scripts for three shells, written from the option tree so that they can't lag behind it.
namespace glyd::cli {
namespace {

struct TreeOption {
  std::vector<std::string> words;  // with dashes, as a user types them
  std::string description;
  bool repeats = false;
  bool takes_value = false;
  bool value_optional = false;
  bool value_is_file = false;
  std::string value_name;
};

struct TreeCommand {
  std::string name;  // empty: the compressor itself
  std::string description;
  std::vector<TreeOption> options;
};

TreeOption level_option() {
  TreeOption option;
  for (int level = 1; level <= kMaxLevel; ++level) option.words.push_back(fmt::format("-{}", level));
  option.description = "level";
  return option;
}

TreeCommand read_command(const CLI::App& app) {
  TreeCommand command;
  command.name = app.get_name() == kProgramName ? "" : app.get_name();
  command.description = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty()) continue;
    if (option->get_lnames().front() == kLevelOption) {
      command.options.push_back(level_option());
      continue;
    }
    TreeOption& read = command.options.emplace_back();
    for (const std::string& name : option->get_snames()) read.words.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) read.words.push_back("--" + name);
    read.description = option->get_description();
    read.repeats = option->get_lnames().front() == "verbose" || option->get_lnames().front() == "quiet";
    read.takes_value = option->get_items_expected_max() > 0;
    read.value_optional = read.takes_value && option->get_items_expected_min() == 0;
    read.value_name = option->get_type_name();
    read.value_is_file = read.value_name == "FILE";
  }
  return command;
}

// The compressor first, then the commands.
std::vector<TreeCommand> read_tree() {
  Options unused;
  const std::unique_ptr<CLI::App> root = build_command_tree(unused);
  std::vector<TreeCommand> commands{read_command(*root)};
  for (const CLI::App* app : root->get_subcommands([](CLI::App*) { return true; })) {
    commands.push_back(read_command(*app));
  }
  return commands;
}

std::string join(const std::vector<std::string>& words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> command_names(const std::vector<TreeCommand>& commands) {
  std::vector<std::string> names;
  for (size_t i = 1; i < commands.size(); ++i) names.push_back(commands[i].name);
  return names;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::string bash_script(const std::vector<TreeCommand>& commands) {
  std::string value_words;
  std::string option_words;
  for (const TreeCommand& command : commands) {
    std::vector<std::string> words;
    for (const TreeOption& option : command.options) {
      for (const std::string& word : option.words) {
        words.push_back(word);
        if (option.value_optional) words.push_back(word + "=");
        if (option.takes_value && !option.value_optional && !option.value_is_file) {
          value_words += fmt::format("{}{}:{}", value_words.empty() ? "" : "|", command.name, word);
        }
      }
    }
    option_words +=
        fmt::format("        {}) options='{}' ;;\n", command.name.empty() ? "''" : command.name, join(words, " "));
  }
  const std::vector<std::string> names = command_names(commands);
  return fmt::format(R"(# bash completion for glyd, made by `glyd completion bash`
_glyd() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command='' options=''
    COMPREPLY=()
    if [ "$COMP_CWORD" -gt 1 ]; then
        case ${{COMP_WORDS[1]}} in
            {0}) command=${{COMP_WORDS[1]}} ;;
        esac
    fi
    case "$command:$previous" in
        {1}) return ;;
    esac
    case $command in
{2}    esac
    case $current in
        -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
        *)
            if [ "$command" = completion ]; then
                COMPREPLY=($(compgen -W 'bash zsh fish' -- "$current"))
                return
            fi
            local IFS=$'\n'
            COMPREPLY=($(compgen -f -- "$current"))
            if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY+=($(compgen -W $'{3}' -- "$current"))
            fi
            ;;
    esac
}}
complete -o filenames -F _glyd glyd
)",
                     join(names, "|"), value_words, option_words, join(names, "\\n"));
}

// In an _arguments specification the description ends at ']', and ':' begins the value.
std::string zsh_text(const std::string& text) {
  std::string out = replaced(text, "\\", "\\\\");
  for (const char* special : {"[", "]", ":"}) out = replaced(out, special, std::string("\\") + special);
  return replaced(out, "'", "'\\''");
}

std::string zsh_options(const TreeCommand& command) {
  std::string out;
  for (const TreeOption& option : command.options) {
    const std::string excluded = option.repeats            ? "*"
                                 : option.words.size() > 1 ? fmt::format("({})", join(option.words, " "))
                                                           : "";
    for (const std::string& word : option.words) {
      const bool is_long = word.starts_with("--");
      std::string value;
      if (option.takes_value) {
        value = fmt::format("{}:{}:{}", option.value_optional ? ":" : "", zsh_text(option.value_name),
                            option.value_is_file ? "_files" : " ");
      }
      // "=-": the value follows "=" in the same word; "=": there or in the next word; "+": at once or in the
      // next.
      const char* joint = !option.takes_value ? "" : option.value_optional ? "=-" : is_long ? "=" : "+";
      out += fmt::format("    '{}{}{}[{}]{}' \\\n", excluded, word, joint, zsh_text(option.description), value);
    }
  }
  return out;
}

std::string zsh_script(const std::vector<TreeCommand>& commands) {
  std::string cases;
  std::string described;
  for (size_t i = 1; i < commands.size(); ++i) {
    const TreeCommand& command = commands[i];
    const char* what = command.name == "completion" ? "'1:shell:(bash zsh fish)'" : "'*:file:_files'";
    cases += fmt::format(
        "  {})\n    shift words\n    (( CURRENT-- ))\n    _arguments -s -S \\\n{}    {}\n    return\n    "
        ";;\n",
        command.name, zsh_options(command), what);
    described += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.description));
  }
  return fmt::format(R"(#compdef glyd
# zsh completion for glyd, made by `glyd completion zsh`
_glyd_first() {{
  local -a commands
  commands=(
{0}  )
  _describe -t commands command commands
  _files
}}

_glyd() {{
  if (( CURRENT > 2 )); then
  case $words[2] in
{1}  esac
  fi
  _arguments -s -S \
{2}    '1:file or command:_glyd_first' \
    '*:file:_files'
}}

if [ "$funcstack[1]" = _glyd ]; then
  _glyd "$@"
else
  compdef _glyd glyd
fi
)",
                     described, cases, zsh_options(commands.front()));
}

std::string fish_text(const std::string& text) {
  return replaced(replaced(text, "\\", "\\\\"), "'", "\\'");
}

std::string fish_script(const std::vector<TreeCommand>& commands) {
  std::string out = "# fish completion for glyd, made by `glyd completion fish`\n";
  out += fmt::format(
      "function __glyd_command\n"
      "    set -l words (commandline -opc)\n"
      "    set -q words[2]; and contains -- $words[2] {}; and echo $words[2]\n"
      "end\n",
      join(command_names(commands), " "));
  for (const TreeCommand& command : commands) {
    const std::string condition = command.name.empty() ? "not __glyd_command >/dev/null"
                                                       : fmt::format("contains -- {} (__glyd_command)", command.name);
    for (const TreeOption& option : command.options) {
      std::string names;
      for (const std::string& word : option.words) {
        // A level has two digits, which is what fish calls an old-style option.
        const bool level = word[1] >= '0' && word[1] <= '9';
        names += word.starts_with("--") ? " -l " + word.substr(2) : (level ? " -o " : " -s ") + word.substr(1);
      }
      const char* value = !option.takes_value || option.value_optional ? "" : option.value_is_file ? " -r -F" : " -x";
      out +=
          fmt::format("complete -c glyd -n '{}'{}{} -d '{}'\n", condition, names, value, fish_text(option.description));
    }
  }
  for (size_t i = 1; i < commands.size(); ++i) {
    out += fmt::format("complete -c glyd -n '__fish_is_first_token' -a {} -d '{}'\n", commands[i].name,
                       fish_text(commands[i].description));
  }
  out += "complete -c glyd -n 'contains -- completion (__glyd_command)' -f -a 'bash zsh fish'\n";
  return out;
}

}  // namespace

ExitCode run_completion(const Options& options, Report& report) {
  const std::vector<TreeCommand> commands = read_tree();
  if (options.shell == "bash") return print_or_report(report, bash_script(commands));
  if (options.shell == "zsh") return print_or_report(report, zsh_script(commands));
  return print_or_report(report, fish_script(commands));
}

}  // namespace glyd::cli

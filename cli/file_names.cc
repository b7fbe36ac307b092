#include "cli/file_names.h"

#include <array>

namespace glyd::cli {
namespace {

struct SuffixRule {
  std::string_view suffix;
  std::string_view replacement;
};

constexpr std::array kSuffixRules = {
    SuffixRule{kSuffix, ""},     SuffixRule{".gz", ""},      SuffixRule{".bz2", ""},      SuffixRule{".xz", ""},
    SuffixRule{".lzma", ""},     SuffixRule{".zst", ""},     SuffixRule{".lz4", ""},      SuffixRule{".tgz", ".tar"},
    SuffixRule{".tbz2", ".tar"}, SuffixRule{".txz", ".tar"}, SuffixRule{".tzst", ".tar"}, SuffixRule{".tlz4", ".tar"},
};

// A name that is only a suffix, such as "folder/.gz", has nothing left to be called.
bool ends_in(std::string_view name, std::string_view suffix) {
  if (!name.ends_with(suffix) || name.size() == suffix.size()) return false;
  return name[name.size() - suffix.size() - 1] != '/';
}

const SuffixRule* rule_for(std::string_view name) {
  for (const SuffixRule& rule : kSuffixRules) {
    if (ends_in(name, rule.suffix)) return &rule;
  }
  return nullptr;
}

}  // namespace

bool has_glyd_suffix(std::string_view name) {
  return ends_in(name, kSuffix);
}

bool has_known_suffix(std::string_view name) {
  return rule_for(name) != nullptr;
}

MaybeFailure restored_name(std::string_view name, std::string& restored) {
  const SuffixRule* rule = rule_for(name);
  if (rule == nullptr) {
    return Failure{ExitCode::kFailed, "unknown suffix; give the name of the output with -o, or use -c"};
  }
  restored = name.substr(0, name.size() - rule->suffix.size());
  restored += rule->replacement;
  return std::nullopt;
}

std::string shown_input(const std::string& name) {
  return name == kStandardStream ? "standard input" : name;
}

}  // namespace glyd::cli

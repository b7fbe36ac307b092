#include "cli/argument_words.h"

#include <algorithm>
#include <cstddef>

namespace glyd::cli {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class WordReader {
 public:
  WordReader(const std::vector<std::string>& words, const std::vector<OptionName>& known)
      : words_(words), known_(known) {}

  PreparedWords read() {
    for (; at_ < words_.size() && result_.error.empty(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        result_.files.insert(result_.files.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, words_.end());
        break;
      }
      if (word.starts_with("--")) {
        read_long(word);
      } else if (word.size() > 1 && word[0] == '-') {
        read_cluster(std::string_view(word).substr(1));
      } else {
        result_.files.push_back(word);
      }
    }
    return std::move(result_);
  }

 private:
  const OptionName* find(std::string_view name) const {
    const auto has = [&](const OptionName& option) { return option.long_name == name; };
    const auto found = std::find_if(known_.begin(), known_.end(), has);
    return found == known_.end() ? nullptr : &*found;
  }
  const OptionName* find(char letter) const {
    const auto has = [&](const OptionName& option) {
      return std::find(option.short_names.begin(), option.short_names.end(), letter) != option.short_names.end();
    };
    const auto found = std::find_if(known_.begin(), known_.end(), has);
    return found == known_.end() ? nullptr : &*found;
  }

  void add(std::string_view name) {
    std::string& word = result_.options.emplace_back("--");
    word += name;
  }
  void add(std::string_view name, std::string_view value) {
    add(name);
    result_.options.back() += '=';
    result_.options.back() += value;
  }

  // `shown` is the option as the user wrote it.
  void fail(std::string_view shown, std::string_view text) {
    result_.error = shown;
    result_.error += text;
  }

  // The value of an option that needs one: `attached`, or the next word.
  void add_with_value(const OptionName& option, std::string_view shown, std::string_view attached, bool has_attached) {
    if (!has_attached) {
      if (at_ + 1 == words_.size()) return fail(shown, " needs a value");
      attached = words_[++at_];
    }
    if (attached.empty()) return fail(shown, " needs a value that is not empty");
    add(option.long_name, attached);
  }

  void read_long(std::string_view word) {
    const size_t equals = word.find('=');
    const bool has_value = equals != std::string_view::npos;
    const std::string_view shown = word.substr(0, equals);
    const std::string_view value = has_value ? word.substr(equals + 1) : std::string_view();
    const OptionName* option = find(shown.substr(2));
    if (option == nullptr) return fail(shown, " is not an option here");
    switch (option->value) {
      case ValueKind::kNone:
        if (has_value) return fail(shown, " takes no value");
        add(option->long_name);
        break;
      case ValueKind::kRequired:
        add_with_value(*option, shown, value, has_value);
        break;
      case ValueKind::kOptional:
        if (has_value && value.empty()) return fail(shown, "= needs a value that is not empty");
        add(option->long_name, has_value ? value : option->bare_value);
        break;
    }
  }

  void read_cluster(std::string_view letters) {
    size_t at = 0;
    while (at < letters.size() && result_.error.empty()) {
      if (is_digit(letters[at])) {
        at = read_level(letters, at);
        continue;
      }
      const char letter = letters[at++];
      const std::string shown{'-', letter};
      const OptionName* option = find(letter);
      if (option == nullptr) {
        return fail(shown,
                    letter == 'r' ? " is kept for record mode; for folders use --recursive" : " is not an option here");
      }
      if (option->value != ValueKind::kNone) {
        const std::string_view rest = letters.substr(at);
        return add_with_value(*option, shown, rest, !rest.empty());
      }
      add(option->long_name);
    }
  }

  // The digits at letters[at...] are a level. Returns where they end.
  size_t read_level(std::string_view letters, size_t at) {
    size_t end = at;
    while (end < letters.size() && is_digit(letters[end])) ++end;
    const std::string_view digits = letters.substr(at, end - at);
    if (find("level") == nullptr) {
      std::string shown("-");
      shown += digits;
      fail(shown, " is not an option here");
    } else {
      add("level", digits);
    }
    return end;
  }

  const std::vector<std::string>& words_;
  const std::vector<OptionName>& known_;
  size_t at_ = 0;
  PreparedWords result_;
};

}  // namespace

PreparedWords prepare_words(const std::vector<std::string>& words, const std::vector<OptionName>& known) {
  return WordReader(words, known).read();
}

}  // namespace glyd::cli

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace glyd::cli {

// Builds one JSON object on one line.
class JsonObject {
 public:
  JsonObject& add(std::string_view key, std::string_view text);
  JsonObject& add(std::string_view key, const char* text) { return add(key, std::string_view(text)); }
  JsonObject& add(std::string_view key, uint64_t number);
  // With `decimals` digits after the point.
  JsonObject& add(std::string_view key, double number, int decimals);
  JsonObject& add_flag(std::string_view key, bool value);
  // `json` is JSON already: an object or an array.
  JsonObject& add_raw(std::string_view key, std::string_view json);

  // The object, without a newline.
  std::string text() const { return "{" + members_ + "}"; }

 private:
  void begin(std::string_view key);

  std::string members_;
};

// `text` between quotes. File names are bytes: those that are no UTF-8 become lone surrogates U+DC80 ...
// U+DCFF, as Python's "surrogateescape" does, so that no name is lost.
std::string json_string(std::string_view text);

}  // namespace glyd::cli

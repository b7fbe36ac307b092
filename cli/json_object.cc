#include "cli/json_object.h"

#include <fmt/format.h>

#include "cli/printable_text.h"

namespace glyd::cli {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const unsigned char first = static_cast<unsigned char>(text[0]);
    size_t length = utf8_length(text);
    if (length == 0) {
      out += fmt::format("\\udc{:02x}", first);
      length = 1;
    } else if (first == '"' || first == '\\') {
      out += {'\\', text[0]};
    } else if (first < 0x20 || first == 0x7F) {
      out += fmt::format("\\u{:04x}", first);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out + '"';
}

void JsonObject::begin(std::string_view key) {
  if (!members_.empty()) members_ += ", ";
  members_ += json_string(key);
  members_ += ": ";
}

JsonObject& JsonObject::add(std::string_view key, std::string_view text) {
  return add_raw(key, json_string(text));
}

JsonObject& JsonObject::add(std::string_view key, uint64_t number) {
  return add_raw(key, fmt::format_int(number).str());
}

JsonObject& JsonObject::add(std::string_view key, double number, int decimals) {
  return add_raw(key, fmt::format("{:.{}f}", number, decimals));
}

JsonObject& JsonObject::add_flag(std::string_view key, bool value) {
  return add_raw(key, value ? "true" : "false");
}

JsonObject& JsonObject::add_raw(std::string_view key, std::string_view json) {
  begin(key);
  members_ += json;
  return *this;
}

}  // namespace glyd::cli

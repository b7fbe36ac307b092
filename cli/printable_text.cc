#include "cli/printable_text.h"

#include <fmt/format.h>

namespace glyd::cli {

size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continued = [&](size_t i) { return i < text.size() && (byte(i) & 0xC0u) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continued(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continued(1) || !continued(2)) return 0;
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continued(1) || !continued(2) || !continued(3)) return 0;
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool too_large = first == 0xF4 && byte(1) >= 0x90;
    return overlong || too_large ? 0 : 4;
  }
  return 0;
}

std::string printable(std::string_view name) {
  if (name.empty()) return "''";
  std::string out;
  out.reserve(name.size());
  while (!name.empty()) {
    const unsigned char first = static_cast<unsigned char>(name[0]);
    size_t length = utf8_length(name);
    // U+0080 ... U+009F are control characters too.
    const bool c1 = length == 2 && first == 0xC2 && static_cast<unsigned char>(name[1]) < 0xA0;
    if (length == 0 || first < 0x20 || first == 0x7F || c1) {
      out += fmt::format("\\x{:02X}", first);
      length = 1;
    } else {
      out += name.substr(0, length);
    }
    name.remove_prefix(length);
  }
  return out;
}

}  // namespace glyd::cli

#include "cli/size_text.h"

#include <fmt/format.h>

#include <charconv>

namespace glyd::cli {
namespace {

// The power of two of a suffix; nothing when it is not one.
std::optional<unsigned> suffix_shift(std::string_view suffix) {
  if (suffix.empty() || suffix == "B") return 0;
  unsigned shift = 0;
  switch (suffix[0]) {
    case 'k':
    case 'K':
      shift = 10;
      break;
    case 'm':
    case 'M':
      shift = 20;
      break;
    case 'g':
    case 'G':
      shift = 30;
      break;
    case 't':
    case 'T':
      shift = 40;
      break;
    default:
      return std::nullopt;
  }
  suffix.remove_prefix(1);
  if (!suffix.empty() && suffix != "iB" && suffix != "i") return std::nullopt;
  return shift;
}

}  // namespace

std::optional<uint64_t> parse_size(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::optional<unsigned> shift = suffix_shift(text.substr(static_cast<size_t>(end - text.data())));
  if (!shift || (number << *shift) >> *shift != number) return std::nullopt;
  return number << *shift;
}

std::optional<uint64_t> parse_number(std::string_view text, uint64_t low, uint64_t high) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < low || number > high) return std::nullopt;
  return number;
}

std::string size_text(uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

std::string grouped(uint64_t number) {
  const std::string digits = fmt::format_int(number).str();
  std::string out;
  for (size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0) out += ',';
    out += digits[at];
  }
  return out;
}

std::string ratio_text(uint64_t content, uint64_t compressed) {
  if (content == 0 || compressed == 0) return "-";
  return fmt::format("{:.3f}", static_cast<double>(content) / static_cast<double>(compressed));
}

}  // namespace glyd::cli

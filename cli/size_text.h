#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Sizes as people write and read them. One unit system: K, M, G and T are powers of 1024, and are written
// KiB, MiB, GiB and TiB. Speeds alone are decimal, MB/s = 1,000,000 bytes a second, as zstd and lz4 print
// them.
namespace glyd::cli {

// A whole number with an optional suffix: "512M", "512MiB", "64k", "1000". Nothing when it is not that, or
// does not fit 64 bits.
std::optional<uint64_t> parse_size(std::string_view text);

// A whole decimal number without sign between `low` and `high`.
std::optional<uint64_t> parse_number(std::string_view text, uint64_t low, uint64_t high);

// "0 B", "999 B", "1.00 KiB", "12.3 MiB": three digits.
std::string size_text(uint64_t bytes);

// 1234567 -> "1,234,567".
std::string grouped(uint64_t number);

// Content over compressed bytes, "2.911"; "-" when one of them is 0.
std::string ratio_text(uint64_t content, uint64_t compressed);

}  // namespace glyd::cli

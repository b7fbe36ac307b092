#include "codec/entropy/histogram.h"

#include <cmath>

namespace glyd {

Histogram count_symbols(Bytes symbols) {
  // Equal neighbours would make each increment wait for the one before it, so neighbours go to different tables.
  constexpr size_t kTables = 4;
  std::array<Histogram, kTables> tables{};
  const uint8_t* p = symbols.data();
  size_t left = symbols.size();
  for (; left >= 8; left -= 8, p += 8) {
    const uint64_t eight = load_le<uint64_t>(p);
    for (size_t i = 0; i < 8; ++i) ++tables[i % kTables][static_cast<uint8_t>(eight >> (8 * i))];
  }
  for (; left > 0; --left) ++tables[0][*p++];
  for (size_t table = 1; table < kTables; ++table) {
    for (size_t symbol = 0; symbol < 256; ++symbol) tables[0][symbol] += tables[table][symbol];
  }
  return tables[0];
}

double entropy_bits(const Histogram& histogram) {
  uint64_t total = 0;
  double sum = 0;
  for (const uint32_t count : histogram) {
    total += count;
    if (count > 0) sum += count * std::log2(static_cast<double>(count));
  }
  return total == 0 ? 0.0 : static_cast<double>(total) * std::log2(static_cast<double>(total)) - sum;
}

}  // namespace glyd

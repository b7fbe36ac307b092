#include "codec/entropy/rans/rans_model.h"

#include <bit>

#include "codec/entropy/bit_stream.h"

namespace glyd::rans {
namespace {

constexpr unsigned kMaxOrder = 7;
constexpr unsigned kMaxPrefix = kMaxProbabilityBits;

// The next count to change when the sum is too low: the one that gains most. One more on a count f of a symbol that
// occurs c times saves c * log2((f + 1) / f) bits, which is close to c / (f + 1/2) times a constant.
size_t best_to_raise(const Histogram& histogram, const Model& model) {
  size_t best = 256;
  for (size_t s = 0; s < 256; ++s) {
    if (histogram[s] == 0) continue;
    const auto less = [&](size_t a, size_t b) {
      return histogram[a] * (2 * uint64_t{model.counts[b]} + 1) < histogram[b] * (2 * uint64_t{model.counts[a]} + 1);
    };
    if (best == 256 || less(best, s)) best = s;
  }
  return best;
}

// And when it is too high: the one that loses least among those above 1.
size_t best_to_lower(const Histogram& histogram, const Model& model) {
  size_t best = 256;
  for (size_t s = 0; s < 256; ++s) {
    if (model.counts[s] <= 1) continue;
    const auto less = [&](size_t a, size_t b) {
      return histogram[a] * (2 * uint64_t{model.counts[b]} - 1) < histogram[b] * (2 * uint64_t{model.counts[a]} - 1);
    };
    if (best == 256 || less(s, best)) best = s;
  }
  return best;
}

uint64_t golomb_bits(uint32_t value, unsigned order) {
  return 2 * (static_cast<unsigned>(std::bit_width((value >> order) + 1)) - 1) + 1 + order;
}

void write_golomb(BitWriter& writer, uint32_t value, unsigned order) {
  const uint32_t above = (value >> order) + 1;
  const unsigned prefix = static_cast<unsigned>(std::bit_width(above)) - 1;
  writer.write(uint64_t{1} << prefix, prefix + 1);
  writer.write(above - (uint32_t{1} << prefix), prefix);
  writer.write(value & ((uint32_t{1} << order) - 1), order);
}

// kMaxPrefix is above what any count needs; what is longer gives a value that is too large for every table.
uint32_t read_golomb(BitReader& reader, unsigned order) {
  unsigned prefix = 0;
  while (prefix <= kMaxPrefix && reader.read(1) == 0) ++prefix;
  if (prefix > kMaxPrefix) return ~uint32_t{0};
  const uint32_t above = (uint32_t{1} << prefix) + static_cast<uint32_t>(reader.read(prefix));
  return ((above - 1) << order) + static_cast<uint32_t>(reader.read(order));
}

// Calls visit(value, is_run) for each number of the table, in order.
template <typename Visit>
void walk_table(const Model& model, Visit visit) {
  uint32_t sum = 0;
  for (size_t s = 0; sum < uint32_t{1} << model.bits; ++s) {
    visit(model.counts[s], false);
    sum += model.counts[s];
    if (model.counts[s] > 0) continue;
    uint32_t run = 0;
    while (model.counts[s + 1] == 0) ++s, ++run;
    visit(run, true);
  }
}

}  // namespace

Model normalise(const Histogram& histogram, unsigned bits) {
  Model model;
  model.bits = bits;
  uint64_t total = 0;
  for (const uint32_t count : histogram) total += count;
  const uint32_t target = uint32_t{1} << bits;
  uint32_t sum = 0;
  for (size_t s = 0; s < 256; ++s) {
    if (histogram[s] == 0) continue;
    if (histogram[s] == total) {
      model.counts[s] = static_cast<uint16_t>(target - 1);
      model.counts[(s + 1) % 256] = 1;
      return model;
    }
    const uint64_t rounded = (uint64_t{histogram[s]} * target + total / 2) / total;
    model.counts[s] = static_cast<uint16_t>(std::clamp<uint64_t>(rounded, 1, target - 1));
    sum += model.counts[s];
  }
  for (; sum < target; ++sum) ++model.counts[best_to_raise(histogram, model)];
  for (; sum > target; --sum) --model.counts[best_to_lower(histogram, model)];
  return model;
}

PackedTable pack_table(const Model& model) {
  std::array<uint64_t, kMaxOrder + 1> bits{};
  walk_table(model, [&](uint32_t value, bool is_run) {
    for (unsigned order = 0; order <= kMaxOrder; ++order) bits[order] += golomb_bits(value, is_run ? 0 : order);
  });
  PackedTable table;
  table.order = static_cast<unsigned>(std::min_element(bits.begin(), bits.end()) - bits.begin());
  BitWriter writer(table.bytes);
  walk_table(model, [&](uint32_t value, bool is_run) { write_golomb(writer, value, is_run ? 0 : table.order); });
  writer.finish();
  return table;
}

size_t unpack_table(Bytes bytes, unsigned order, Model& model) {
  model.counts.fill(0);
  BitReader reader(bytes);
  const uint32_t target = uint32_t{1} << model.bits;
  uint32_t sum = 0;
  for (uint64_t symbol = 0; sum < target; ++symbol) {
    const uint32_t count = read_golomb(reader, order);
    if (symbol > 255 || count >= target || count > target - sum) return 0;
    model.counts[symbol] = static_cast<uint16_t>(count);
    sum += count;
    if (count == 0) symbol += read_golomb(reader, 0);
  }
  return reader.finish();
}

}  // namespace glyd::rans

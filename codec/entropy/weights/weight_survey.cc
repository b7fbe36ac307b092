#include "codec/entropy/weights/weight_survey.h"

#include "codec/entropy/weights/block_layout.h"

namespace glyd::weights {

WeightSurvey survey_weights(Bytes matrix) {
  WeightSurvey survey;
  survey.weights = matrix.size() / 2;
  // Sign and exponent are counted in one table each for even and odd weights: neighbours are often equal, and counting
  // one cell twice in a row waits for the store.
  std::array<std::array<uint64_t, 512>, 2> counts{};
  const uint8_t* weight = matrix.data();
  for (uint64_t i = 0; i < survey.weights; ++i, weight += 2) {
    const uint16_t value = load_le<uint16_t>(weight);
    ++counts[i % 2][value >> 7];
    survey.subnormals += (value & 0x7FFFu) - 1u < 0x7Fu;
  }
  for (size_t i = 0; i < 512; ++i) survey.exponents[i % 256] += counts[0][i] + counts[1][i];
  return survey;
}

ExponentWindow best_window(const WeightSurvey& survey) {
  ExponentWindow best;
  best.outside = survey.weights + 1;
  const bool shiftable = survey.subnormals == 0 && survey.exponents[254] == 0;
  for (uint32_t shift = 0; shift <= (shiftable ? 1u : 0u); ++shift) {
    // How many weights have each value of the upper seven exponent bits.
    std::array<uint64_t, 128> upper{};
    for (uint32_t exponent = 0; exponent < 256; ++exponent) {
      const uint16_t weight = static_cast<uint16_t>(exponent << 7);
      upper[(shift ? shifted_weight(weight) : weight) >> 8] += survey.exponents[exponent];
    }
    for (uint32_t base = 0; base <= kMaxWindowBase; ++base) {
      uint64_t outside = survey.weights;
      for (uint32_t i = 0; i < kWindowValues; ++i) outside -= upper[base + i];
      if (outside < best.outside) best = {base, shift, outside};
    }
  }
  return best;
}

huffman::EscapedCode exponent_code(const WeightSurvey& survey, uint32_t code_limit) {
  unsigned scale = 0;
  while (survey.weights >> scale >= uint64_t{1} << 31) ++scale;
  Histogram histogram{};
  for (size_t i = 0; i < histogram.size(); ++i) {
    const uint64_t count = survey.exponents[i];
    histogram[i] = static_cast<uint32_t>((count >> scale) + (count > 0 && count >> scale == 0));
  }
  return huffman::escaped_code(histogram, code_limit, 32);
}

double expected_fast_bits(const WeightSurvey& survey) {
  return 11 + 16.0 * static_cast<double>(best_window(survey).outside) / static_cast<double>(survey.weights);
}

double expected_dense_bits(const WeightSurvey& survey, uint32_t code_limit) {
  const huffman::EscapedCode code = exponent_code(survey, code_limit);
  double bits = 0;
  for (size_t i = 0; i < survey.exponents.size(); ++i) {
    const unsigned length = code.lengths[i] > 0 ? code.lengths[i] : code.lengths[huffman::kEscape] + 32u;
    bits += static_cast<double>(survey.exponents[i]) * length;
  }
  return 8 + bits / static_cast<double>(survey.weights);
}

}  // namespace glyd::weights

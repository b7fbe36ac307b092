#include "bench/entropy_content.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>

#include "bench/bench_content.h"

namespace glyd::bench {

namespace {

// Up to `size` bytes from the start of a file, or after its safetensors header.
std::vector<uint8_t> file_bytes(const std::string& name, size_t size) {
  std::ifstream file(name, std::ios::binary);
  constexpr std::string_view kSuffix = ".safetensors";
  if (name.ends_with(kSuffix)) {
    uint8_t length[8] = {};
    file.read(reinterpret_cast<char*>(length), sizeof length);
    uint64_t header = 0;
    for (size_t i = 8; i-- > 0;) header = header << 8 | length[i];
    file.seekg(static_cast<std::streamoff>(header), std::ios::cur);
  }
  std::vector<uint8_t> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

// Gaussian weights of bf16, rows of 1024 with scales of their own.
std::vector<uint8_t> gaussian_weights(size_t size) {
  std::vector<uint8_t> bytes(size);
  uint64_t state = 5;
  const auto gaussian = [&state] {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(next_random(state) >> 11) * 0x1p-53;
    return sum;
  };
  double scale = 0;
  for (size_t i = 0; i + 1 < size; i += 2) {
    if (i % 2048 == 0) scale = 0.02 * std::exp(0.25 * gaussian());
    const uint32_t bits = std::bit_cast<uint32_t>(static_cast<float>(scale * gaussian()));
    bytes[i] = static_cast<uint8_t>(bits >> 16);
    bytes[i + 1] = static_cast<uint8_t>(bits >> 24);
  }
  return bytes;
}

std::vector<uint8_t> skewed_symbols(size_t size) {
  std::vector<uint8_t> bytes(size);
  uint64_t state = 6;
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(std::countl_zero(next_random(state) | 1));
  return bytes;
}

}  // namespace

std::vector<uint8_t> weight_content(const std::string& weights, size_t size) {
  std::vector<uint8_t> words = weights.empty() ? std::vector<uint8_t>() : file_bytes(weights, size);
  return words.empty() ? gaussian_weights(size) : words;
}

std::vector<SymbolContent> entropy_content(const std::string& weights, const std::string& text, size_t size) {
  const std::vector<uint8_t> words = weight_content(weights, 2 * size);
  std::vector<uint8_t> letters = text.empty() ? std::vector<uint8_t>() : file_bytes(text, size);
  if (letters.empty()) letters = text_content(size);
  std::vector<uint8_t> exponents;
  std::vector<uint8_t> mantissas;
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    exponents.push_back(static_cast<uint8_t>(words[i + 1] << 1 | words[i] >> 7));
    mantissas.push_back(static_cast<uint8_t>((words[i + 1] & 0x80) | (words[i] & 0x7F)));
  }
  return {{"exponent", std::move(exponents)},
          {"mantissa", std::move(mantissas)},
          {"text", std::move(letters)},
          {"skewed", skewed_symbols(size)},
          {"flat", noise_content(size)}};
}

}  // namespace glyd::bench

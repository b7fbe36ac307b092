#include "bench/bench_content.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace glyd::bench {

namespace {

constexpr std::array<std::string_view, 16> kWords = {"connection", "closed",  "worker", "session", "retry",  "timeout",
                                                     "packet",     "request", "stored", "index",   "volume", "updated",
                                                     "queue",      "object",  "window", "record"};

}  // namespace

uint64_t next_random(uint64_t& state) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1Du;
}

std::vector<uint8_t> text_content(size_t size) {
  std::string text;
  text.reserve(size + 256);
  uint64_t state = 1;
  uint64_t clock = 1700000000;
  while (text.size() < size) {
    clock += next_random(state) >> 62;
    text += std::to_string(clock);
    text += " worker-" + std::to_string(next_random(state) >> 60) + ":";
    const uint64_t words = 3 + (next_random(state) >> 61);
    for (uint64_t i = 0; i < words; ++i) {
      text += ' ';
      text += kWords[next_random(state) >> 60];
    }
    text += " id=" + std::to_string(next_random(state) >> 44) + "\n";
  }
  return {text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size)};
}

std::vector<uint8_t> noise_content(size_t size) {
  std::vector<uint8_t> bytes(size);
  uint64_t state = 2;
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(next_random(state) >> 56);
  return bytes;
}

std::vector<uint8_t> run_content(size_t size) {
  std::vector<uint8_t> bytes(size, 0);
  uint64_t state = 3;
  size_t at = 0;
  while (at < size) {
    at += 64 + (next_random(state) >> 50);
    const size_t island_end = std::min(size, at + (next_random(state) >> 58));
    for (; at < island_end; ++at) bytes[at] = static_cast<uint8_t>(next_random(state) >> 56);
  }
  return bytes;
}

}  // namespace glyd::bench

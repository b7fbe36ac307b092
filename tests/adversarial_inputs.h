#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The inputs that every coder has to survive, made here and the same on every machine.
namespace glyd::testing {

struct NamedInput {
  std::string name;
  std::vector<uint8_t> bytes;
};

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return next() % bound; }

 private:
  uint64_t state_;
};

std::vector<uint8_t> random_bytes(size_t size, uint64_t seed);
// Log-like lines: compresses about as real logs do.
std::vector<uint8_t> log_text(size_t size, uint64_t seed);

// Small inputs (up to about 100 KB): empty, one byte, all equal, random, text, long lines, NULs, CRLF, invalid UTF-8,
// runs of every length about the limits, sparse, counters.
std::vector<NamedInput> adversarial_inputs();

}  // namespace glyd::testing

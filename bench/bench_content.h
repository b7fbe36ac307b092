#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// What the micro-benchmarks work on: made in memory, the same on every machine.
namespace glyd::bench {

// Log-like text with times, words and numbers: shrinks to about a quarter.
std::vector<uint8_t> text_content(size_t size);

// Bytes in which there is nothing to find.
std::vector<uint8_t> noise_content(size_t size);

// Long runs of one byte with short islands between them.
std::vector<uint8_t> run_content(size_t size);

// The next number of an xorshift64* generator; `state` must not be zero.
uint64_t next_random(uint64_t& state);

}  // namespace glyd::bench

#pragma once

#include <cstdint>

namespace glyd {

// What a call may use. Both are checked against sizes in a header before anything is allocated for them.
struct Limits {
  static constexpr uint64_t kNone = ~uint64_t{0};
  // What a library allows when its caller says nothing.
  static constexpr uint64_t kDefaultMemory = uint64_t{2} << 30;

  // Bytes of memory. One encoder or decoder uses fewer threads rather than more memory; when one thread is too
  // much already, it fails with kMemoryLimit.
  uint64_t memory = kDefaultMemory;
  // Bytes of content that a decoder may produce.
  uint64_t output = kNone;
};

}  // namespace glyd

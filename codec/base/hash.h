#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "codec/base/bytes.h"

// The checksums of FORMAT.md: XXH64 and XXH3-128 (xxHash, https://xxhash.com, specification in its doc folder).
namespace glyd {

struct Hash128 {
  uint64_t low = 0;
  uint64_t high = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

// XXH64 of `bytes` with seed 0.
uint64_t xxh64(Bytes bytes);

// XXH3-128 with seed 0 of everything passed to update() since construction or reset().
class ContentHasher {
 public:
  ContentHasher();
  ~ContentHasher();
  ContentHasher(ContentHasher&&) noexcept;
  ContentHasher& operator=(ContentHasher&&) noexcept;

  void reset();
  void update(Bytes bytes);
  Hash128 digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glyd

#include "codec/base/hash.h"

#define XXH_STATIC_LINKING_ONLY  // for the definition of XXH3_state_t, so that it lives inside State
#include <xxhash.h>

namespace glyd {

uint64_t xxh64(Bytes bytes) {
  return XXH64(bytes.data(), bytes.size(), 0);
}

struct ContentHasher::State {
  XXH3_state_t xxh3;
};

ContentHasher::ContentHasher() : state_(std::make_unique<State>()) {
  reset();
}
ContentHasher::~ContentHasher() = default;
ContentHasher::ContentHasher(ContentHasher&&) noexcept = default;
ContentHasher& ContentHasher::operator=(ContentHasher&&) noexcept = default;

void ContentHasher::reset() {
  XXH3_128bits_reset(&state_->xxh3);
}
void ContentHasher::update(Bytes bytes) {
  XXH3_128bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

Hash128 ContentHasher::digest() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
  return {hash.low64, hash.high64};
}

}  // namespace glyd

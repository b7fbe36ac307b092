#pragma once

#include <cstdint>

namespace glyd {

// The one list of transform ids, as FORMAT.md's table has them. An id is never reused and never changes its
// meaning: files hold it.
enum class TransformId : uint32_t {
  kZstd = 1,
  kRunLength = 2,
  kLz4 = 3,
  kTensor = 4,
};

inline constexpr uint32_t kMaxTransformId = 4;

}  // namespace glyd

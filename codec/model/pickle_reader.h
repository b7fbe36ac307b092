#pragma once

#include <cstdint>

#include "codec/base/bytes.h"
#include "codec/model/pickle_values.h"

namespace glyd {

// Reads a pickle of any protocol up to 5. Nothing in it is executed or looked up: a call becomes a value that says what
// would be called and with what. Work and memory are bounded by the pickle's size and by kMaxPickleValues.
inline constexpr uint32_t kMaxPickleValues = uint32_t{1} << 22;
PickleValues read_pickle(Bytes pickle);

}  // namespace glyd

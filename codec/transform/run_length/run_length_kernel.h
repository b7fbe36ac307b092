#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/base/bytes.h"

// The loops of the run-length transform: they allocate nothing. spec.md has the format.
namespace glyd::run_length {

// Runs shorter than this are left among the literals: an operation costs 2 bytes, and breaks up what a later
// transform sees.
inline constexpr size_t kMinRun = 32;

inline constexpr size_t kNoRoom = ~size_t{0};

// Writes the operations for `input` to `output` and returns how many bytes they take, or kNoRoom when they do not
// fit.
size_t encode(Bytes input, MutableBytes output);

// Runs the operations in `input`. True when they yield exactly output.size() bytes.
bool decode(Bytes input, MutableBytes output);

// The number of bytes from p on, before `end`, that equal *p. Precondition: p < end.
size_t run_size(const uint8_t* p, const uint8_t* end);

}  // namespace glyd::run_length

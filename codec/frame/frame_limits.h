#pragma once

#include "codec/base/limits.h"
#include "codec/frame/frame_layout.h"

namespace glyd {

// How a frame will be decoded.
struct DecodeResources {
  unsigned threads = 0;  // workers; 0: the calling thread decodes each block as it comes
  unsigned blocks = 1;   // that may be in memory at once
};

// What FORMAT.md, "What a decoder must refuse", asks before anything is allocated for a frame. `threads` is what the
// user asked for (0: one for each processor); fewer are given as the number of blocks and the memory limit ask for.
// Errors: kUnsupportedFeature for an unknown transform, kBaseNeeded, kMemoryLimit, kOutputLimit (with
// `content_before`, the content of the frames before, counted in).
Result<DecodeResources> decode_resources(const FrameHeader& header, unsigned threads, const Limits& limits,
                                         uint64_t content_before);

}  // namespace glyd

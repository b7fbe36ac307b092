#pragma once

#include "codec/base/buffer.h"
#include "codec/base/bytes.h"
#include "codec/frame/frame_layout.h"
#include "codec/plan/planner.h"

// One block: content to payload and back, through a plan. These functions are what the workers run; they share
// nothing but a const planner or header.
namespace glyd {

// What became of a block's content. `payload` lies in the `room` given to encode_block(), or is the content itself
// (plan 0).
struct EncodedBlock {
  uint32_t plan = kStoredPlan;
  Bytes payload;
  uint64_t content_hash = 0;
};

// Encodes `content`, which stands at `content_offset` of the frame's, by the best of the planner's candidates. `room` and `other_room` are two buffers of at least
// content.size() bytes to work in. Errors: kOutOfMemory. Precondition: content is not empty.
Result<EncodedBlock> encode_block(Bytes content, uint64_t content_offset, const Planner& planner, MutableBytes room,
                                  Buffer& other_room, Workspace& workspace);

// Decodes `payload` into `content`, which has header.content_size bytes, and compares its hash. Errors: kCorrupt,
// kChecksumMismatch, kUnsupportedFeature, kOutOfMemory, without offset. The payload of a stored block may be `content`
// itself: it is then only checked.
Status decode_block(Bytes payload, const BlockHeader& header, const FrameHeader& frame, MutableBytes content,
                    Workspace& workspace);

}  // namespace glyd

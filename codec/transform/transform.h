#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "codec/base/buffer.h"
#include "codec/base/bytes.h"
#include "codec/base/element_type.h"
#include "codec/base/status.h"
#include "codec/transform/transform_ids.h"

// A transform turns the bytes of a block into fewer bytes, or into bytes that the next transform makes fewer of,
// and back. It is a stateless object behind an id; what it wants to keep from block to block lives in a Workspace.
//
// Each has a folder: a kernel or library binding, and spec.md, which says from the decoder's side what the bytes
// mean. HACKING.md, "How to add a transform", lists the steps.
namespace glyd {

// What the planner asks of a step. Only the encoder sees it: decoders find all they need in the bytes.
struct StepParameters {
  int level = 0;               // in the transform's own terms
  int window_log = 0;          // log2 of the distance over which to find repetitions, in bytes
  bool long_distance = false;  // look for far repetitions by sampling, beyond what the level searches
  // For the tensor transform: what the block is made of. Offsets count from the block; in order, without gaps.
  std::span<const TypedRegion> regions;
};

// What one transform keeps between blocks, for example a compression context.
class TransformState {
 public:
  virtual ~TransformState() = default;
};

// The memory of one worker. Used by one thread at a time.
class Workspace {
 public:
  // This worker's `State` of transform `id`, made on first use; nullptr when there is no memory for it.
  template <typename State>
  State* state(TransformId id) {
    std::unique_ptr<TransformState>& slot = states_[static_cast<size_t>(id)];
    if (slot == nullptr) slot = State::create();
    return static_cast<State*>(slot.get());
  }
  // Buffers between the steps of a plan; `which` is 0 or 1.
  Buffer& scratch(size_t which) { return scratch_[which]; }

 private:
  std::array<std::unique_ptr<TransformState>, kMaxTransformId + 1> states_;
  std::array<Buffer, 2> scratch_;
};

class Transform {
 public:
  virtual ~Transform() = default;
  virtual TransformId id() const = 0;
  // Stable, lower case, as `glyd info` shows it.
  virtual const char* name() const = 0;

  // Encodes `input` into `output` and returns the bytes used. Errors: kDestinationTooSmall when the result does
  // not fit, which is how a caller says what would not be worth having; kOutOfMemory. The same input and
  // parameters give the same bytes on every machine. Precondition: input is not empty.
  virtual Result<size_t> encode(Bytes input, MutableBytes output, const StepParameters& parameters,
                                Workspace& workspace) const = 0;

  // Decodes all of `input` into exactly output.size() bytes. `input` may be anything. Errors: kCorrupt when it does
  // not decode to exactly that; kUnsupportedFeature; kOutOfMemory.
  virtual Status decode(Bytes input, MutableBytes output, Workspace& workspace) const = 0;

  // Bytes that a Workspace comes to hold for this transform when blocks have `block_size` bytes.
  virtual uint64_t encoder_memory(uint64_t block_size, const StepParameters& parameters) const = 0;
  virtual uint64_t decoder_memory(uint64_t block_size) const = 0;
};

// The transform behind an id as it stands in a file, or nullptr when this program has none. Lives forever.
const Transform* find_transform(uint32_t id);

}  // namespace glyd

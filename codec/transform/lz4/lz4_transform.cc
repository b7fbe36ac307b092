#include "codec/transform/lz4/lz4_transform.h"

#include <lz4.h>

#include <new>

namespace glyd {
namespace {

struct Lz4State : TransformState {
  static std::unique_ptr<Lz4State> create() { return std::unique_ptr<Lz4State>(new (std::nothrow) Lz4State); }
  LZ4_stream_t stream;
};

}  // namespace

Result<size_t> Lz4Transform::encode(Bytes input, MutableBytes output, const StepParameters& /*parameters*/,
                                    Workspace& workspace) const {
  if (input.size() > LZ4_MAX_INPUT_SIZE) return Status(Code::kInvalidArgument, "block too large for LZ4");
  Lz4State* state = workspace.state<Lz4State>(id());
  if (state == nullptr) return Status(Code::kOutOfMemory);
  const int room = static_cast<int>(std::min<size_t>(output.size(), LZ4_MAX_INPUT_SIZE));
  const int size = LZ4_compress_fast_extState(&state->stream, reinterpret_cast<const char*>(input.data()),
                                              reinterpret_cast<char*>(output.data()), static_cast<int>(input.size()),
                                              room, /*acceleration=*/1);
  if (size <= 0) return Status(Code::kDestinationTooSmall);
  return static_cast<size_t>(size);
}

Status Lz4Transform::decode(Bytes input, MutableBytes output, Workspace& /*workspace*/) const {
  if (input.size() > LZ4_MAX_INPUT_SIZE || output.size() > LZ4_MAX_INPUT_SIZE) {
    return Status(Code::kCorrupt, "lz4: block too large");
  }
  const int size =
      LZ4_decompress_safe(reinterpret_cast<const char*>(input.data()), reinterpret_cast<char*>(output.data()),
                          static_cast<int>(input.size()), static_cast<int>(output.size()));
  if (size < 0 || static_cast<size_t>(size) != output.size()) return Status(Code::kCorrupt, "lz4: damaged block");
  return {};
}

uint64_t Lz4Transform::encoder_memory(uint64_t /*block_size*/, const StepParameters& /*parameters*/) const {
  return sizeof(Lz4State);
}

uint64_t Lz4Transform::decoder_memory(uint64_t /*block_size*/) const {
  return 0;
}

}  // namespace glyd

#include "codec/transform/run_length/run_length_transform.h"

#include "codec/transform/run_length/run_length_kernel.h"

namespace glyd {

Result<size_t> RunLengthTransform::encode(Bytes input, MutableBytes output, const StepParameters& /*parameters*/,
                                          Workspace& /*workspace*/) const {
  const size_t size = run_length::encode(input, output);
  if (size == run_length::kNoRoom) return Status(Code::kDestinationTooSmall);
  return size;
}

Status RunLengthTransform::decode(Bytes input, MutableBytes output, Workspace& /*workspace*/) const {
  if (!run_length::decode(input, output)) return Status(Code::kCorrupt, "run-length: damaged operations");
  return {};
}

uint64_t RunLengthTransform::encoder_memory(uint64_t /*block_size*/, const StepParameters& /*parameters*/) const {
  return 0;
}

uint64_t RunLengthTransform::decoder_memory(uint64_t /*block_size*/) const {
  return 0;
}

}  // namespace glyd

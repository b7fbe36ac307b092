#pragma once

#include "codec/transform/transform.h"

namespace glyd {

// Blocks of numbers whose types are known: StepParameters.regions says where they are; spec.md. The other parameters are
// zstd's, for what is not numbers.
class TensorTransform : public Transform {
 public:
  TransformId id() const override { return TransformId::kTensor; }
  const char* name() const override { return "tensor"; }
  Result<size_t> encode(Bytes input, MutableBytes output, const StepParameters& parameters,
                        Workspace& workspace) const override;
  Status decode(Bytes input, MutableBytes output, Workspace& workspace) const override;
  uint64_t encoder_memory(uint64_t block_size, const StepParameters& parameters) const override;
  uint64_t decoder_memory(uint64_t block_size) const override;

  // Bytes that an encoder needs for text at the strongest level, besides encoder_memory() for each worker: large text
  // is in one block, a vocabulary for example, and little text needs little.
  static constexpr uint64_t kTextMemory = uint64_t{112} << 20;
};

}  // namespace glyd

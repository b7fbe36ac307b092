#pragma once

#include "codec/transform/transform.h"

namespace glyd {

// Long runs of one byte as operations; spec.md. StepParameters are not used.
class RunLengthTransform : public Transform {
 public:
  TransformId id() const override { return TransformId::kRunLength; }
  const char* name() const override { return "run-length"; }
  Result<size_t> encode(Bytes input, MutableBytes output, const StepParameters& parameters,
                        Workspace& workspace) const override;
  Status decode(Bytes input, MutableBytes output, Workspace& workspace) const override;
  uint64_t encoder_memory(uint64_t block_size, const StepParameters& parameters) const override;
  uint64_t decoder_memory(uint64_t block_size) const override;
};

}  // namespace glyd

#pragma once

#include "codec/transform/transform.h"

namespace glyd {

// The LZ4 block format through liblz4; spec.md. StepParameters are not used: there is one speed, the fastest.
class Lz4Transform : public Transform {
 public:
  TransformId id() const override { return TransformId::kLz4; }
  const char* name() const override { return "lz4"; }
  Result<size_t> encode(Bytes input, MutableBytes output, const StepParameters& parameters,
                        Workspace& workspace) const override;
  Status decode(Bytes input, MutableBytes output, Workspace& workspace) const override;
  uint64_t encoder_memory(uint64_t block_size, const StepParameters& parameters) const override;
  uint64_t decoder_memory(uint64_t block_size) const override;
};

}  // namespace glyd

#pragma once

#include "codec/transform/transform.h"

namespace glyd {

// Zstandard (RFC 8878) through libzstd; spec.md. StepParameters.level is zstd's own, negative ones included.
class ZstdTransform : public Transform {
 public:
  TransformId id() const override { return TransformId::kZstd; }
  const char* name() const override { return "zstd"; }
  Result<size_t> encode(Bytes input, MutableBytes output, const StepParameters& parameters,
                        Workspace& workspace) const override;
  Status decode(Bytes input, MutableBytes output, Workspace& workspace) const override;
  uint64_t encoder_memory(uint64_t block_size, const StepParameters& parameters) const override;
  uint64_t decoder_memory(uint64_t block_size) const override;
};

}  // namespace glyd

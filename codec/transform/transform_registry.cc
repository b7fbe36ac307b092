#include "codec/transform/lz4/lz4_transform.h"
#include "codec/transform/run_length/run_length_transform.h"
#include "codec/transform/tensor/tensor_transform.h"
#include "codec/transform/transform.h"
#include "codec/transform/zstd/zstd_transform.h"

namespace glyd {

const Transform* find_transform(uint32_t id) {
  static const ZstdTransform zstd;
  static const RunLengthTransform run_length;
  static const Lz4Transform lz4;
  static const TensorTransform tensor;
  switch (static_cast<TransformId>(id)) {
    case TransformId::kZstd:
      return &zstd;
    case TransformId::kRunLength:
      return &run_length;
    case TransformId::kLz4:
      return &lz4;
    case TransformId::kTensor:
      return &tensor;
  }
  return nullptr;
}

}  // namespace glyd

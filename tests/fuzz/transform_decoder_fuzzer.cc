#include "codec/transform/transform.h"

// The first byte chooses a transform, the next two the size to decode to, the rest is what to decode.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  static glyd::Workspace workspace;
  const glyd::Transform* transform = glyd::find_transform(1 + data[0] % glyd::kMaxTransformId);
  std::vector<uint8_t> output(glyd::load_le<uint16_t>(data + 1));
  const glyd::Status status = transform->decode(glyd::Bytes(data + 3, size - 3), output, workspace);
  static_cast<void>(status);
  return 0;
}

#include <cstdlib>

#include "codec/codec.h"

// The first byte chooses a level, the rest is content, which has to come back, within the bound.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  glyd::EncodeOptions options;
  options.threads = 1;
  options.level = data[0] == 0 ? glyd::kLevelLz4 : data[0] % 20 - 5;
  const glyd::Bytes content(data + 1, size - 1);
  const auto frame = glyd::compress(content, options);
  if (!frame.ok() || frame->size() > glyd::compress_bound(content.size())) std::abort();
  const auto back = glyd::decompress(*frame);
  if (!back.ok() || !std::equal(back->begin(), back->end(), content.begin(), content.end())) std::abort();
  return 0;
}

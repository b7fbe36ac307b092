#include <cstdlib>

#include "codec/codec.h"

// Any bytes through salvage(): it finds all of what the decoder takes for whole, and stays within its limits.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const glyd::Bytes bytes(data, size);
  glyd::DecodeOptions options;
  options.threads = 1;
  options.limits = {16 << 20, 4 << 20};
  glyd::MemorySource file(bytes);
  glyd::MemorySink sink;
  const auto report = glyd::salvage(file, sink, options);
  if (sink.bytes().size() > options.limits.output) std::abort();
  const auto content = glyd::decompress(bytes, options);
  if (content.ok() && (!report.ok() || !report->whole() || sink.bytes() != *content)) std::abort();
  return 0;
}

#include <cstdlib>

#include "codec/codec.h"

// Any bytes through the streaming decoder, inspect() and the range reader. Beyond not crashing: what one way of
// reading calls whole, the others read to the same bytes.
namespace {

constexpr uint64_t kMaxOutput = 4 << 20;

glyd::DecodeOptions options() {
  glyd::DecodeOptions options;
  options.threads = 1;
  options.limits = {16 << 20, kMaxOutput};
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const glyd::Bytes bytes(data, size);
  const glyd::Result<std::vector<uint8_t>> content = glyd::decompress(bytes, options());
  glyd::MemorySource file(bytes);
  const auto info = glyd::inspect(file, true);
  if (content.ok() && (!info.ok() || info->content_size != content->size())) std::abort();
  const auto reader = glyd::RangeReader::open(file, options());
  if (!reader.ok()) {
    if (content.ok()) std::abort();
    return 0;
  }
  const uint64_t total = (*reader)->info().content_size;
  if (total > kMaxOutput) return 0;
  std::vector<uint8_t> ranges(static_cast<size_t>(total));
  const glyd::Status status = (*reader)->read(0, ranges);
  if (content.ok() && (!status.ok() || ranges != *content)) std::abort();
  return 0;
}

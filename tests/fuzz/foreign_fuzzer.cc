#include <algorithm>
#include <cstdlib>

#include "codec/stream/foreign_format.h"

// Any bytes as a file of another compressor, in the format that they show (or, when they show none, in the
// one that the last byte chooses). Large and small windows of input and output give the same outcome, within
// the limits.
namespace {

constexpr uint64_t kMaxOutput = 16 << 20;
constexpr glyd::Limits kLimits{64 << 20, kMaxOutput};
constexpr size_t kComparedSize = 64 << 10;

// Gives a byte a read.
class DrippingSource : public glyd::ByteSource {
 public:
  explicit DrippingSource(glyd::Bytes bytes) : bytes_(bytes) {}
  glyd::Result<size_t> read(glyd::MutableBytes destination) override { return bytes_.read(destination.first(1)); }

 private:
  glyd::MemorySource bytes_;
};

struct Outcome {
  glyd::Code code = glyd::Code::kOk;
  uint64_t size = 0;
  std::vector<uint8_t> start;  // of the content
};

Outcome read_all(glyd::ForeignFormat format, glyd::ByteSource& compressed, size_t window) {
  const auto source = glyd::open_foreign(format, compressed, kLimits);
  if (source == nullptr) std::abort();
  Outcome outcome;
  std::vector<uint8_t> destination(window);
  while (true) {
    const auto got = source->read(destination);
    outcome.code = got.status().code();
    if (!got.ok() || *got == 0) break;
    if (*got > window) std::abort();
    outcome.size += *got;
    const size_t kept = std::min(*got, kComparedSize - std::min(kComparedSize, outcome.start.size()));
    outcome.start.insert(outcome.start.end(), destination.begin(),
                         destination.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  if (outcome.size > kMaxOutput) std::abort();
  return outcome;
}

glyd::ForeignFormat format_of(glyd::Bytes bytes) {
  const glyd::ForeignFormat shown = glyd::sniff_foreign(bytes);
  if (shown != glyd::ForeignFormat::kNone || bytes.empty()) return shown;
  return static_cast<glyd::ForeignFormat>(1 + bytes.back() % 6);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const glyd::Bytes bytes(data, size);
  const glyd::ForeignFormat format = format_of(bytes);
  if (format == glyd::ForeignFormat::kNone) return 0;
  glyd::MemorySource whole(bytes);
  const Outcome large = read_all(format, whole, kComparedSize);
  if (large.size > kComparedSize) return 0;  // small windows would take long
  DrippingSource dripping(bytes);
  const Outcome small = read_all(format, dripping, 7);
  // Which of several damages is seen first may differ; whether there is one may not.
  const bool large_whole = large.code == glyd::Code::kOk;
  const bool small_whole = small.code == glyd::Code::kOk;
  if (large_whole != small_whole) std::abort();
  if (large_whole && (large.size != small.size || large.start != small.start)) std::abort();
  return 0;
}

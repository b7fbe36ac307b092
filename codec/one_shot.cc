#include "codec/codec.h"
#include "codec/frame/frame_layout.h"

namespace glyd {
namespace {

// Moves all of `input` through an Encoder or Decoder to the end of `output`.
template <typename Pump>
Status run(Pump& pump, Bytes input, std::vector<uint8_t>& output) {
  while (!pump.done()) {
    const MutableBytes room = pump.input();
    const size_t size = std::min(room.size(), input.size());
    if (size > 0) {
      std::memcpy(room.data(), input.data(), size);
      input = input.subspan(size);
      if (const Status status = pump.commit(size); !status.ok()) return status;
    } else if (input.empty()) {
      if (const Status status = pump.finish(); !status.ok()) return status;
    }
    const Result<Bytes> window = pump.output();
    if (!window.ok()) return window.status();
    output.insert(output.end(), window->begin(), window->end());
    pump.consume(window->size());
  }
  return {};
}

}  // namespace

size_t compress_bound(size_t content_size) {
  // A block that does not shrink is stored; the smallest blocks that any level makes are those of --long=20.
  const size_t blocks = (content_size >> kMinWindowLog) + 1;
  constexpr size_t kPerBlock = kMaxBlockHeaderSize + 2 * kMaxVarintSize;
  constexpr size_t kHeaderAndEnd = 128;
  return content_size + blocks * kPerBlock + kHeaderAndEnd;
}

Result<std::vector<uint8_t>> compress(Bytes content, const EncodeOptions& options) {
  EncodeOptions sized = options;
  sized.content_size = content.size();
  Encoder encoder(sized);
  std::vector<uint8_t> frame;
  if (const Status status = run(encoder, content, frame); !status.ok()) return status;
  return frame;
}

Result<std::vector<uint8_t>> decompress(Bytes frames, const DecodeOptions& options) {
  Decoder decoder(options);
  std::vector<uint8_t> content;
  if (const Status status = run(decoder, frames, content); !status.ok()) return status;
  return content;
}

}  // namespace glyd

#include "codec/frame/frame_layout.h"
#include "codec/transform/run_length/run_length_kernel.h"
#include "codec/transform/transform.h"
#include "tests/frame/coder_testing.h"

namespace glyd::testing {

ByteVector small_block_frame(Bytes content, size_t block_size, bool announce_size) {
  FrameHeader header;
  if (announce_size) header.content_size = content.size();
  header.block_size_log = 10;
  while (header.max_block_size() < block_size) ++header.block_size_log;
  header.plans = {{}, {static_cast<uint32_t>(TransformId::kRunLength)}};
  ByteVector frame;
  append_header(frame, header);
  FrameEnd end;
  end.header_size = frame.size();
  ContentHasher hasher;
  hasher.update(content);
  end.content_hash = hasher.digest();
  for (size_t at = 0; at < content.size(); at += block_size) {
    const Bytes block = content.subspan(at, std::min(block_size, content.size() - at));
    ByteVector payload(block.size());
    const size_t encoded = run_length::encode(block, MutableBytes(payload).first(block.size() - 1));
    const bool stored = encoded == run_length::kNoRoom;
    stored ? payload.assign(block.begin(), block.end()) : payload.resize(encoded);
    std::array<uint8_t, kMaxBlockHeaderSize> room;
    const BlockHeader block_header{stored ? 0u : 1u, at, block.size(), payload.size(), xxh64(block)};
    const uint8_t* const begin = store_block_header(room.data() + room.size(), block_header);
    const size_t before = frame.size();
    frame.insert(frame.end(), begin, static_cast<const uint8_t*>(room.data() + room.size()));
    frame.insert(frame.end(), payload.begin(), payload.end());
    end.blocks.push_back({block.size(), frame.size() - before});
  }
  append_end(frame, end);
  return frame;
}

}  // namespace glyd::testing

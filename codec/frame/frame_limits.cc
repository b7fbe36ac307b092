#include "codec/frame/frame_limits.h"

#include "codec/frame/worker_memory.h"

namespace glyd {

Result<DecodeResources> decode_resources(const FrameHeader& header, unsigned threads, const Limits& limits,
                                         uint64_t content_before) {
  for (const PlanIds& plan : header.plans) {
    for (const uint32_t id : plan) {
      if (find_transform(id) == nullptr) return Status(Code::kUnsupportedFeature, "unknown transform");
    }
  }
  if (!header.bases.empty()) return Status(Code::kBaseNeeded);
  const bool size_known = header.content_size != FrameHeader::kUnknownSize;
  if (size_known && header.content_size > limits.output - std::min(limits.output, content_before)) {
    return Status(Code::kOutputLimit);
  }
  // A worker's share is what its block needs; blocks that wait to be filled or emptied have two buffers each.
  const uint64_t one = header.memory_to_decode();
  if (one > limits.memory) return Status(Code::kMemoryLimit, "to decode one block");
  const uint64_t blocks = size_known ? (header.content_size >> header.block_size_log) + 1 : ~uint64_t{0};
  if (size_known && header.content_size <= header.max_block_size()) return DecodeResources{};
  const auto memory = [&](unsigned n) -> uint64_t {
    return n * one + (blocks_in_flight(n) - n) * 2 * header.max_block_content();
  };
  const unsigned allowed = choose_threads(threads, blocks, limits.memory, memory);
  if (allowed == 0) return DecodeResources{};
  return DecodeResources{allowed, blocks_in_flight(allowed)};
}

}  // namespace glyd

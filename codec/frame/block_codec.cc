#include "codec/frame/block_codec.h"

#include <cstring>

#include "codec/base/hash.h"

namespace glyd {
namespace {

// Runs the steps of `plan` on `content`. The payload, intermediate sizes included, goes to `room`. Errors:
// kDestinationTooSmall when it does not fit.
Result<size_t> run_plan(Bytes content, std::span<const TypedRegion> regions, const Plan& plan, MutableBytes room,
                        Workspace& workspace) {
  std::vector<uint8_t> sizes;
  Bytes input = content;
  for (size_t step = 0; step + 1 < plan.size(); ++step) {
    Buffer& scratch = workspace.scratch(step % 2);
    if (const Status status = scratch.reserve(content.size()); !status.ok()) return status;
    const Result<size_t> size =
        find_transform(static_cast<uint32_t>(plan[step].id))
            ->encode(input, MutableBytes(scratch.data(), content.size()), plan[step].parameters, workspace);
    if (!size.ok()) return size.status();
    append_varint(sizes, *size);
    input = Bytes(scratch.data(), *size);
  }
  if (sizes.size() >= room.size()) return Status(Code::kDestinationTooSmall);
  std::copy(sizes.begin(), sizes.end(), room.begin());
  const PlanStep& last = plan.back();
  StepParameters parameters = last.parameters;
  // Regions are of the content, which the step sees when it is the only one.
  if (plan.size() == 1) parameters.regions = regions;
  const Result<size_t> size =
      find_transform(static_cast<uint32_t>(last.id))->encode(input, room.subspan(sizes.size()), parameters, workspace);
  if (!size.ok()) return size.status();
  return sizes.size() + *size;
}

Status decode_step(uint32_t id, Bytes input, MutableBytes output, Workspace& workspace) {
  const Transform* transform = find_transform(id);
  if (transform == nullptr) return Status(Code::kUnsupportedFeature, "transform");
  return transform->decode(input, output, workspace);
}

Status decode_plan(Bytes payload, const PlanIds& plan, uint64_t max_block_size, MutableBytes content,
                   Workspace& workspace) {
  ByteReader reader(payload);
  std::array<uint64_t, kMaxPlanSteps> sizes;
  for (size_t step = 0; step + 1 < plan.size(); ++step) {
    sizes[step] = reader.read_varint();
    if (!reader.ok() || sizes[step] == 0 || sizes[step] > max_block_size) {
      return Status(Code::kCorrupt, "intermediate size");
    }
  }
  Bytes input = reader.read(reader.remaining());
  for (size_t step = plan.size() - 1; step > 0; --step) {
    const size_t size = static_cast<size_t>(sizes[step - 1]);
    Buffer& scratch = workspace.scratch(step % 2);
    if (const Status status = scratch.reserve(size); !status.ok()) return status;
    const MutableBytes output(scratch.data(), size);
    if (const Status status = decode_step(plan[step], input, output, workspace); !status.ok()) return status;
    input = output;
  }
  return decode_step(plan[0], input, content, workspace);
}

}  // namespace

Result<EncodedBlock> encode_block(Bytes content, uint64_t content_offset, const Planner& planner, MutableBytes room,
                                  Buffer& other_room, Workspace& workspace) {
  EncodedBlock best;
  best.payload = content;
  best.content_hash = xxh64(content);
  const std::vector<TypedRegion> regions = planner.block_regions(content_offset, content.size());
  for (const uint32_t plan : planner.candidates(content, regions)) {
    // Each try has to be smaller than the best so far, and must not overwrite it.
    MutableBytes target = room;
    if (best.payload.data() == room.data()) {
      if (const Status status = other_room.reserve(content.size()); !status.ok()) return status;
      target = MutableBytes(other_room.data(), content.size());
    }
    target = target.first(best.payload.size() - 1);
    const Result<size_t> size = run_plan(content, regions, planner.plans()[plan], target, workspace);
    if (size.ok()) {
      best.plan = plan;
      best.payload = target.first(*size);
    } else if (size.status().code() != Code::kDestinationTooSmall) {
      return size.status();
    }
  }
  if (best.payload.data() == other_room.data() && best.plan != kStoredPlan) {
    std::memcpy(room.data(), best.payload.data(), best.payload.size());
    best.payload = room.first(best.payload.size());
  }
  return best;
}

Status decode_block(Bytes payload, const BlockHeader& header, const FrameHeader& frame, MutableBytes content,
                    Workspace& workspace) {
  if (header.plan == kStoredPlan) {
    if (payload.size() != content.size()) return Status(Code::kCorrupt, "stored block size");
    if (payload.data() != content.data()) std::memcpy(content.data(), payload.data(), payload.size());
  } else {
    const PlanIds& plan = frame.plans[header.plan];
    if (const Status status = decode_plan(payload, plan, frame.max_block_size(), content, workspace); !status.ok()) {
      return status;
    }
  }
  if (xxh64(content) != header.content_hash) return Status(Code::kChecksumMismatch, "block content");
  return {};
}

}  // namespace glyd

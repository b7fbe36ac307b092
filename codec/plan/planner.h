#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/bytes.h"
#include "codec/base/element_type.h"
#include "codec/plan/level.h"
#include "codec/transform/transform.h"

// A plan is the list of transforms that a block goes through. The planner sets up the few plans that a level may
// use, which the frame's header lists, and then says for each block which of them are worth trying.
namespace glyd {

struct PlanStep {
  TransformId id;
  StepParameters parameters;
};
using Plan = std::vector<PlanStep>;

// Plan numbers as FORMAT.md has them: 0 is always the stored block, without steps.
inline constexpr uint32_t kStoredPlan = 0;

class Planner {
 public:
  // `regions`: where in the content there are numbers of known types, in order and without overlap.
  explicit Planner(const LevelSettings& settings, std::vector<TypedRegion> regions = {});

  // All plans this planner may name; plans()[kStoredPlan] is empty.
  const std::vector<Plan>& plans() const { return plans_; }

  // What lies in the block of `size` bytes at `offset` of the content: regions that cover it without a gap, with offsets
  // in the block, each a whole number of elements. Empty when it is far from all regions.
  std::vector<TypedRegion> block_regions(uint64_t offset, uint64_t size) const;

  // How large the block that begins at `offset` should be at most: numbers have no use for a window, so that smaller blocks
  // cost nothing, and save memory and the time to touch it.
  uint64_t block_size(uint64_t offset) const;

  // The plans to try on `block`, most promising first; the smallest result is kept, and the block is stored when
  // none is smaller than it. Depends on nothing but the bytes and their regions. Precondition: block is not empty.
  std::span<const uint32_t> candidates(Bytes block, std::span<const TypedRegion> regions = {}) const;

 private:
  std::vector<TypedRegion> regions_;
  std::vector<Plan> plans_;
  std::vector<uint32_t> ordinary_;
  std::vector<uint32_t> with_runs_;
  std::vector<uint32_t> typed_;
};

// The share of `block`, 0 to 1, that lies in long runs of one byte, from a sample.
double run_share(Bytes block);

}  // namespace glyd

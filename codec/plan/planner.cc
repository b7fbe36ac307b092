#include "codec/plan/planner.h"

#include <cstring>

namespace glyd {
namespace {

constexpr size_t kProbes = 256;
constexpr size_t kProbeSize = 64;

// From here on runs are so common that trying the run-length plans pays for its time.
constexpr double kRunsWorthTrying = 0.5;

bool is_constant(const uint8_t* p, size_t size) {
  return std::memcmp(p, p + 1, size - 1) == 0;
}

}  // namespace

double run_share(Bytes block) {
  if (block.size() < kProbeSize) return is_constant(block.data(), block.size()) ? 1.0 : 0.0;
  const size_t span = block.size() - kProbeSize;
  size_t constant = 0;
  for (size_t i = 0; i < kProbes; ++i) {
    if (is_constant(block.data() + span * i / kProbes, kProbeSize)) ++constant;
  }
  return static_cast<double>(constant) / kProbes;
}

Planner::Planner(const LevelSettings& settings) {
  const PlanStep codec{settings.codec, settings.parameters};
  const PlanStep run_length{TransformId::kRunLength, {}};
  plans_ = {{}, {codec}, {run_length}, {run_length, codec}};
  ordinary_ = {1};
  with_runs_ = {2, 3, 1};
}

std::span<const uint32_t> Planner::candidates(Bytes block) const {
  return run_share(block) >= kRunsWorthTrying ? with_runs_ : ordinary_;
}

}  // namespace glyd

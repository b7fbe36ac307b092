#include "codec/plan/planner.h"

#include <algorithm>
#include <cstring>

namespace glyd {
namespace {

constexpr size_t kProbes = 256;
constexpr size_t kProbeSize = 64;

// From here on runs are so common that trying the run-length plans pays for its time.
constexpr double kRunsWorthTrying = 0.5;

constexpr uint64_t kNumberBlockSize = uint64_t{1} << 21;

// How far into a gap between regions its bytes are taken for headers.
constexpr uint64_t kLongestGap = uint64_t{32} << 20;

// Arrays of an unknown type are not text either: they are taken as numbers of one byte.
ElementType type_in_block(ElementType type) {
  return type == ElementType::kBytes ? ElementType::kInt8 : type;
}

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

Planner::Planner(const LevelSettings& settings, std::vector<TypedRegion> regions) : regions_(std::move(regions)) {
  const PlanStep codec{settings.codec, settings.parameters};
  const PlanStep run_length{TransformId::kRunLength, {}};
  plans_ = {{}, {codec}, {run_length}, {run_length, codec}};
  ordinary_ = {1};
  with_runs_ = {2, 3, 1};
  // Where nothing is known but that there are bytes, the file is like any other.
  const auto is_bytes = [](const TypedRegion& region) { return region.type == ElementType::kBytes; };
  if (std::all_of(regions_.begin(), regions_.end(), is_bytes)) regions_.clear();
  if (regions_.empty()) return;
  // Last, so that the numbers of the others do not depend on it.
  plans_.push_back({{TransformId::kTensor, settings.parameters}});
  typed_ = {static_cast<uint32_t>(plans_.size() - 1)};
}

std::vector<TypedRegion> Planner::block_regions(uint64_t offset, uint64_t size) const {
  std::vector<TypedRegion> result;
  const uint64_t end = offset + size;
  uint64_t at = offset;
  const auto append = [&](uint64_t to, ElementType type) {
    if (to == at) return;
    if (!result.empty() && result.back().type == type) {
      result.back().size += to - at;
    } else {
      result.push_back({at - offset, to - at, type});
    }
    at = to;
  };
  const auto next = std::partition_point(regions_.begin(), regions_.end(), [&](const TypedRegion& r) {
    return r.size <= offset - std::min(offset, r.offset);
  });
  bool is_typed = false;
  for (auto region = next; region != regions_.end() && region->offset < end; ++region) {
    const uint64_t element = find_element_type(static_cast<uint64_t>(region->type))->size;
    const uint64_t begin = std::max(region->offset, offset);
    const uint64_t stop = region->size < end - region->offset ? region->offset + region->size : end;
    // Elements that are cut by an end of the block count as bytes.
    const uint64_t first = std::min(begin + (element - (begin - region->offset) % element) % element, stop);
    append(first, ElementType::kBytes);
    // Where strings begin is known at the start of their region only.
    const bool is_cut = region->type == ElementType::kStrings && begin > region->offset;
    if (is_cut || stop - first < element) continue;
    is_typed = true;
    append(first + (stop - first) / element * element, type_in_block(region->type));
  }
  append(end, ElementType::kBytes);
  // The headers between numbers are typed too, as what they are: text. A gap that goes on and on is something else.
  const uint64_t gap_begin = next == regions_.begin() ? 0 : std::prev(next)->offset + std::prev(next)->size;
  is_typed = is_typed || (!regions_.empty() && end - std::min(end, gap_begin) <= kLongestGap);
  if (!is_typed) result.clear();
  return result;
}

uint64_t Planner::block_size(uint64_t offset) const {
  const auto region = std::partition_point(regions_.begin(), regions_.end(), [&](const TypedRegion& r) {
    return r.size <= offset - std::min(offset, r.offset);
  });
  const bool is_in_numbers = region != regions_.end() && region->offset <= offset && !is_text(region->type);
  return is_in_numbers ? kNumberBlockSize : ~uint64_t{0};
}

std::span<const uint32_t> Planner::candidates(Bytes block, std::span<const TypedRegion> regions) const {
  if (!regions.empty()) return typed_;
  return run_share(block) >= kRunsWorthTrying ? with_runs_ : ordinary_;
}

}  // namespace glyd

#include <cstdlib>
#include <unordered_set>

#include "codec/model/model_map.h"

// Any bytes as a model file, whole and as the beginning of a longer one. What the header of model_map.h promises of a
// map holds for each of them.
namespace {

void check(const glyd::ModelMap& map, uint64_t file_size) {
  std::unordered_set<std::string_view> names;
  uint64_t last_offset = 0;
  for (const glyd::TensorEntry& tensor : map.tensors) {
    if (!names.insert(tensor.name).second || tensor.offset < last_offset) std::abort();
    if (tensor.offset > file_size || tensor.size > file_size - tensor.offset) std::abort();
    last_offset = tensor.offset;
  }
  uint64_t end = 0;
  for (const glyd::TypedRegion& region : map.regions()) {
    if (region.size == 0 || region.offset < end || region.offset > file_size) std::abort();
    if (region.size > file_size - region.offset) std::abort();
    end = region.offset + region.size;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  glyd::MemorySource file(glyd::Bytes(data, size));
  for (const uint64_t file_size : {uint64_t{size}, uint64_t{size} * 2, glyd::kUnknownSize}) {
    const auto map = glyd::read_model_map(file, file_size);
    if (!map.ok()) std::abort();
    if (map->has_value()) check(**map, file_size);
  }
  return 0;
}

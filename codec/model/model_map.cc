#include "codec/model/model_map.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "codec/model/gguf_reader.h"
#include "codec/model/header_source.h"
#include "codec/model/npy_reader.h"
#include "codec/model/npz_reader.h"
#include "codec/model/pytorch_reader.h"
#include "codec/model/safetensors_reader.h"
#include "codec/model/zip_directory.h"

namespace glyd {
namespace {

uint64_t element_size(ElementType type) {
  const ElementTypeInfo* info = find_element_type(static_cast<uint64_t>(type));
  return info != nullptr ? info->size : 1;
}

// The part of a tensor that begins at or after `from`, on a boundary of its elements.
TypedRegion part_from(const TensorEntry& tensor, uint64_t from) {
  uint64_t cut = 0;
  if (from > tensor.offset) {
    const uint64_t element = element_size(tensor.type);
    const uint64_t covered = std::min(from - tensor.offset, tensor.size);
    cut = std::min(tensor.size, covered + (element - covered % element) % element);
  }
  return {tensor.offset + cut, tensor.size - cut, tensor.type};
}

std::optional<ModelMap> read_any_format(HeaderSource& file) {
  std::array<uint8_t, 9> first{};
  if (!file.read(0, first)) return std::nullopt;
  const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size());
  if (text.starts_with("GGUF")) return read_gguf(file);
  if (text.starts_with("\x93NUMPY")) return read_npy(file);
  if (text.starts_with("PK\x03\x04")) {
    const std::optional<std::vector<ZipMember>> members = read_zip_directory(file);
    if (!members) return std::nullopt;
    std::optional<ModelMap> map = read_pytorch(file, *members);
    return map ? std::move(map) : read_npz(file, *members);
  }
  // No magic: the length of a JSON object, then the object.
  if (text[8] == '{') return read_safetensors(file);
  return std::nullopt;
}

// Whatever a reader let through, callers can count on the order, on names that are there once, and on the file's end.
void normalise(ModelMap& map, const HeaderSource& file) {
  std::erase_if(map.text, [&](const TypedRegion& region) { return !file.contains(region.offset, region.size); });
  std::erase_if(map.tensors, [&](const TensorEntry& tensor) { return !file.contains(tensor.offset, tensor.size); });
  std::unordered_set<std::string_view> seen;
  std::vector<bool> first(map.tensors.size());
  for (size_t i = 0; i < map.tensors.size(); ++i) first[i] = seen.insert(map.tensors[i].name).second;
  std::vector<TensorEntry> kept;
  kept.reserve(seen.size());
  for (size_t i = 0; i < map.tensors.size(); ++i) {
    if (first[i]) kept.push_back(std::move(map.tensors[i]));
  }
  map.tensors = std::move(kept);
  std::sort(map.tensors.begin(), map.tensors.end(), [](const TensorEntry& a, const TensorEntry& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.name < b.name;
  });
}

}  // namespace

const char* model_format_name(ModelFormat format) {
  switch (format) {
    case ModelFormat::kSafetensors:
      return "safetensors";
    case ModelFormat::kGguf:
      return "gguf";
    case ModelFormat::kNpy:
      return "npy";
    case ModelFormat::kNpz:
      return "npz";
    case ModelFormat::kPytorch:
      return "pytorch";
  }
  return "unknown";
}

std::vector<TypedRegion> ModelMap::regions() const {
  std::vector<TypedRegion> regions = text;
  uint64_t end = regions.empty() ? 0 : regions.back().offset + regions.back().size;
  for (const TensorEntry& tensor : tensors) {
    const TypedRegion part = part_from(tensor, end);
    if (part.size == 0) continue;
    end = part.offset + part.size;
    // A rest that is no whole element would put the elements of the next one out of step.
    const bool joins = !regions.empty() && regions.back().type == part.type &&
                       regions.back().offset + regions.back().size == part.offset &&
                       regions.back().size % element_size(part.type) == 0;
    if (joins) {
      regions.back().size += part.size;
    } else {
      regions.push_back(part);
    }
  }
  return regions;
}

const TensorEntry* ModelMap::find(std::string_view name) const {
  for (const TensorEntry& tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

Result<std::optional<ModelMap>> read_model_map(RandomAccessSource& file, uint64_t file_size) {
  const Result<uint64_t> present = file.size();
  if (!present.ok()) return present.status();
  HeaderSource source(file, std::min(*present, file_size), file_size);
  std::optional<ModelMap> map = read_any_format(source);
  if (!source.status().ok()) return source.status();
  if (map) normalise(*map, source);
  return map;
}

}  // namespace glyd

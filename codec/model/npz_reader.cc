#include "codec/model/npz_reader.h"

#include <string_view>

#include "codec/model/npy_reader.h"

namespace glyd {

std::optional<ModelMap> read_npz(HeaderSource& file, const std::vector<ZipMember>& members) {
  constexpr std::string_view kSuffix = ".npy";
  ModelMap map;
  map.format = ModelFormat::kNpz;
  for (const ZipMember& member : members) {
    if (!member.name.ends_with(kSuffix)) continue;
    const std::optional<uint64_t> begin = find_member_data(file, member);
    if (!begin) continue;
    std::optional<TensorEntry> tensor = read_npy_array(file, *begin, *begin + member.size);
    if (!tensor) continue;
    tensor->name = member.name.substr(0, member.name.size() - kSuffix.size());
    map.tensors.push_back(std::move(*tensor));
  }
  return map.tensors.empty() ? std::nullopt : std::optional(std::move(map));
}

}  // namespace glyd

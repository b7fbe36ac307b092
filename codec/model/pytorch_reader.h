#pragma once

#include <optional>

#include "codec/model/header_source.h"
#include "codec/model/model_map.h"
#include "codec/model/zip_directory.h"

namespace glyd {

// The map of a file that torch.save() of PyTorch 1.6 or later wrote: a zip archive with the pickle "data.pkl" and a
// member "data/KEY" for the bytes of each storage. `members` is the archive's directory. Names of tensors are the keys,
// indices and attributes that lead to them, joined by dots. A tensor whose elements do not lie in a row, as after a
// transposition, has no place of its own and is left out. A storage that no tensor has for itself is in the map as
// "data/KEY". Nothing in the pickle is executed. Nothing when it is no such file.
std::optional<ModelMap> read_pytorch(HeaderSource& file, const std::vector<ZipMember>& members);

}  // namespace glyd

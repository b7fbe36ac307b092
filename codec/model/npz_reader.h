#pragma once

#include <optional>

#include "codec/model/header_source.h"
#include "codec/model/model_map.h"
#include "codec/model/zip_directory.h"

namespace glyd {

// The map of a NumPy .npz file: a zip archive of .npy files, each a tensor with the file's name less ".npy". `members`
// is the archive's directory. Nothing when no array lies there without compression, as after numpy.savez_compressed.
std::optional<ModelMap> read_npz(HeaderSource& file, const std::vector<ZipMember>& members);

}  // namespace glyd

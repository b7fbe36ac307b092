#pragma once

#include <optional>

#include "codec/model/header_source.h"
#include "codec/model/model_map.h"

namespace glyd {

// The map of a GGUF file of version 2 or 3, little-endian: metadata, which is passed over, then name, shape, type and
// place of each tensor. A tensor of a type without a known size reaches to the next tensor, or to the end of the
// file; when that is not known either, it is left out. Nothing when it is no such file.
std::optional<ModelMap> read_gguf(HeaderSource& file);

}  // namespace glyd

#pragma once

#include <optional>

#include "codec/model/header_source.h"
#include "codec/model/model_map.h"

namespace glyd {

// The map of a safetensors file: the length of a JSON object (64 bits), the object, the tensors. The object has for
// each tensor its name and {"dtype", "shape", "data_offsets": [begin, end]}, counted from the object's end.
// "__metadata__" and entries of another form are passed over. A tensor whose shape and dtype do not give its size
// is kept as one of bytes. Nothing when it is no such file.
std::optional<ModelMap> read_safetensors(HeaderSource& file);

}  // namespace glyd

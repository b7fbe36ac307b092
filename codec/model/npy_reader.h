#pragma once

#include <optional>

#include "codec/model/header_source.h"
#include "codec/model/model_map.h"

namespace glyd {

// The map of a NumPy .npy file of version 1 to 3: a Python dictionary with "descr" and "shape", then one array, which
// gets the name "array". A big-endian array is one of bytes; one of records or Python objects too, and it reaches to
// the end of the file. Nothing when it is no such file.
std::optional<ModelMap> read_npy(HeaderSource& file);

// The same for a .npy file that is a part of `file`, [begin, end), as in an .npz file. The tensor has no name.
// `end`: kUnknownSize when nobody knows.
std::optional<TensorEntry> read_npy_array(HeaderSource& file, uint64_t begin, uint64_t end);

}  // namespace glyd

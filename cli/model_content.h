#pragma once

#include <string>
#include <vector>

#include "cli/failure.h"
#include "cli/options.h"
#include "codec/codec.h"
#include "codec/model/model_map.h"

// Model files as the command meets them: on the way in, and as the content of glyd files.
namespace glyd::cli {

// Sets `encode.regions`: to what --dtype says, or to the tensors of `file`, when it is a model file of `size` bytes and the
// other fields of `encode` allow the memory that tensors take.
MaybeFailure find_typed_regions(const Options& options, RandomAccessSource& file, uint64_t size, EncodeOptions& encode);

// The map of the model file that `reader`'s content is; a failure when it is none. Decodes the blocks with its headers.
MaybeFailure read_content_map(RangeReader& reader, ModelMap& map);

// The tensor of that name; when there is none, the failure says how many there are and which names come near.
// Precondition: `tensor` points into `map` afterwards.
MaybeFailure find_tensor(const ModelMap& map, const std::string& name, const TensorEntry*& tensor);

}  // namespace glyd::cli

#pragma once

#include <vector>

#include "codec/base/bytes.h"

// The JSON of a safetensors header, in which each tensor begins where the one before it ends: type 30 of the tensor
// transform.
namespace glyd::tensor {

// Folds `text`: each "data_offsets":[A,B] whose A is the B before it (0 at first) becomes "data_offsets":[+D] with D = B - A.
// Returns nothing when there is none, or when such a + stands there already.
std::vector<uint8_t> fold_offsets(Bytes text);

// The other way round: fills `text` from `folded`. False when that does not come out exactly.
bool unfold_offsets(Bytes folded, MutableBytes text);

}  // namespace glyd::tensor

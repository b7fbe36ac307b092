#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/element_type.h"
#include "codec/base/status.h"
#include "codec/stream/byte_source.h"

// Where the tensors of a model file lie, read from its headers: safetensors, GGUF, NumPy (.npy, .npz) and PyTorch's zip
// files (.pt, .bin). No tensor data is read. The encoder cuts a file along this map, and `glyd -d --tensor` finds a
// tensor in it, so the same code serves the file itself and the content of its glyd file.
namespace glyd {

enum class ModelFormat { kSafetensors, kGguf, kNpy, kNpz, kPytorch };

// "safetensors", "gguf", "npy", "npz", "pytorch".
const char* model_format_name(ModelFormat format);

struct TensorEntry {
  std::string name;
  // What the file calls the element type, such as "BF16", "Q4_K", "<f4", "bfloat16"; for listings.
  std::string dtype;
  ElementType type = ElementType::kBytes;  // kBytes: a type without a row in kElementTypes
  std::vector<uint64_t> shape;             // as the file has it; empty for a scalar
  uint64_t offset = 0;                     // in the file
  uint64_t size = 0;                       // bytes
};

struct ModelMap {
  ModelFormat format = ModelFormat::kSafetensors;
  // In order of offset, then of name; no name is there twice, and all lie in the file when its size is known. Tensors may
  // share bytes (tied weights, views of one PyTorch storage). Names are bytes, in most files UTF-8.
  std::vector<TensorEntry> tensors;
  // Text of known kinds in the headers (is_text()), in order, before all tensors.
  std::vector<TypedRegion> text;

  // The bytes of text and tensors as regions, in order and without overlap, none of them empty; neighbours of one type are
  // joined. Of tensors that share bytes, the one that begins first has them. What lies between tensors is not in the
  // list; tensors of kBytes are.
  std::vector<TypedRegion> regions() const;
  // The tensor of that name, or nullptr.
  const TensorEntry* find(std::string_view name) const;
};

// Reads the map of a model file. Nothing when it is none, or none whose headers make sense: such a file is compressed
// like any other, so damage in it is not an error. `file` may hold only the beginning of a file (an encoder's first
// block); `file_size` is that of the whole file, or kUnknownSize. Formats whose directory lies at the end (npz,
// PyTorch) are found only when all of the file is there. Errors: those of `file` but kTruncated.
//
// Work and memory are bounded by the limits below whatever the headers claim: a file beyond one is not recognised.
inline constexpr uint64_t kUnknownSize = ~uint64_t{0};
inline constexpr uint64_t kMaxHeaderBytes = uint64_t{128} << 20;  // read of one file
inline constexpr uint64_t kMaxTensors = uint64_t{1} << 20;
inline constexpr uint64_t kMaxNameBytes = uint64_t{1} << 16;  // of one tensor's name
Result<std::optional<ModelMap>> read_model_map(RandomAccessSource& file, uint64_t file_size);

}  // namespace glyd

#include "codec/model/safetensors_reader.h"

#include <simdjson.h>

#include <array>
#include <string_view>

#include "codec/model/array_size.h"

namespace glyd {
namespace {

namespace dom = simdjson::dom;

// The format allows 100 MB. The parser takes up to 13 bytes of memory a byte, and a hundred thousand tensors take 12 MB.
constexpr uint64_t kMaxJsonBytes = uint64_t{32} << 20;
constexpr size_t kMaxDepth = 32;
constexpr size_t kMaxDimensions = 64;

struct Dtype {
  std::string_view name;
  ElementType type;
  uint32_t size;  // bytes of one element of the shape
};

constexpr std::array kDtypes = {
    Dtype{"BF16", ElementType::kBf16, 2},       Dtype{"F16", ElementType::kFp16, 2},
    Dtype{"F32", ElementType::kFp32, 4},        Dtype{"F64", ElementType::kFp64, 8},
    Dtype{"F8_E4M3", ElementType::kFp8E4m3, 1}, Dtype{"F8_E5M2", ElementType::kFp8E5m2, 1},
    Dtype{"I8", ElementType::kInt8, 1},         Dtype{"U8", ElementType::kInt8, 1},
    Dtype{"BOOL", ElementType::kInt8, 1},       Dtype{"I16", ElementType::kInt16, 2},
    Dtype{"U16", ElementType::kInt16, 2},       Dtype{"I32", ElementType::kInt32, 4},
    Dtype{"U32", ElementType::kInt32, 4},       Dtype{"I64", ElementType::kInt64, 8},
    Dtype{"U64", ElementType::kInt64, 8},       Dtype{"C64", ElementType::kFp32, 8},
};

bool read_numbers(dom::element value, size_t most, std::vector<uint64_t>& numbers) {
  dom::array array;
  if (value.get(array) != simdjson::SUCCESS) return false;
  for (const dom::element item : array) {
    uint64_t number = 0;
    if (numbers.size() == most || item.get(number) != simdjson::SUCCESS) return false;
    numbers.push_back(number);
  }
  return true;
}

// The first of several fields of one name counts.
struct Fields {
  std::string_view dtype;
  std::vector<uint64_t> shape;
  std::vector<uint64_t> offsets;
};

bool read_fields(dom::element value, Fields& fields) {
  dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return false;
  bool has_dtype = false;
  bool has_shape = false;
  bool has_offsets = false;
  for (const dom::key_value_pair field : object) {
    if (field.key == "dtype" && !has_dtype) {
      has_dtype = field.value.get(fields.dtype) == simdjson::SUCCESS;
      if (!has_dtype) return false;
    } else if (field.key == "shape" && !has_shape) {
      has_shape = read_numbers(field.value, kMaxDimensions, fields.shape);
      if (!has_shape) return false;
    } else if (field.key == "data_offsets" && !has_offsets) {
      has_offsets = read_numbers(field.value, 2, fields.offsets) && fields.offsets.size() == 2;
      if (!has_offsets) return false;
    }
  }
  return has_dtype && has_shape && has_offsets;
}

// Nothing when the entry does not describe bytes of the file.
std::optional<TensorEntry> read_tensor(std::string_view name, dom::element value, const HeaderSource& file,
                                       uint64_t data_begin) {
  Fields fields;
  if (!read_fields(value, fields)) return std::nullopt;
  const uint64_t begin = fields.offsets[0];
  const uint64_t end = fields.offsets[1];
  if (begin > end || end > ~uint64_t{0} - data_begin || !file.contains(data_begin + begin, end - begin)) {
    return std::nullopt;
  }
  TensorEntry tensor;
  tensor.name = name;
  tensor.dtype = fields.dtype;
  tensor.offset = data_begin + begin;
  tensor.size = end - begin;
  for (const Dtype& dtype : kDtypes) {
    if (dtype.name == fields.dtype && array_bytes(fields.shape, dtype.size) == tensor.size) tensor.type = dtype.type;
  }
  tensor.shape = std::move(fields.shape);
  return tensor;
}

}  // namespace

std::optional<ModelMap> read_safetensors(HeaderSource& file) {
  std::array<uint8_t, 8> length_bytes{};
  if (!file.read(0, length_bytes)) return std::nullopt;
  const uint64_t length = load_le<uint64_t>(length_bytes.data());
  if (length < 2 || length > kMaxJsonBytes) return std::nullopt;
  Buffer json;
  if (!file.read(length_bytes.size(), length, json, simdjson::SIMDJSON_PADDING)) return std::nullopt;
  dom::parser parser;
  if (parser.allocate(static_cast<size_t>(length), kMaxDepth) != simdjson::SUCCESS) return std::nullopt;
  dom::object object;
  if (parser.parse(json.data(), static_cast<size_t>(length), false).get(object) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  ModelMap map;
  map.text.push_back({length_bytes.size(), length, ElementType::kSafetensorsHeader});
  map.format = ModelFormat::kSafetensors;
  for (const dom::key_value_pair entry : object) {
    if (entry.key == "__metadata__") continue;
    if (map.tensors.size() == kMaxTensors) return std::nullopt;
    std::optional<TensorEntry> tensor = read_tensor(entry.key, entry.value, file, length_bytes.size() + length);
    if (tensor) map.tensors.push_back(std::move(*tensor));
  }
  return map;
}

}  // namespace glyd

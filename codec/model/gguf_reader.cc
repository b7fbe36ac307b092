#include "codec/model/gguf_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "codec/model/array_size.h"

namespace glyd {
namespace {

constexpr uint32_t kMaxDimensions = 8;
constexpr uint64_t kDefaultAlignment = 32;
constexpr uint64_t kMaxAlignment = uint64_t{1} << 20;
constexpr size_t kMaxArrayDepth = 8;
// What a tensor's description takes at least: the length of its name, the number of dimensions, type and offset.
constexpr uint64_t kMinInfoBytes = 24;

// The types of metadata values.
enum ValueType : uint32_t { kUint32 = 4, kString = 8, kArray = 9 };
// Bytes of a value of each type; 0 for those that have a length of their own.
constexpr std::array<uint8_t, 13> kValueBytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

// `size`: bytes of a block of `weights` weights.
struct TensorType {
  uint32_t number;
  std::string_view name;
  ElementType type;
  uint32_t size;
  uint32_t weights;
};

constexpr std::array kTensorTypes = {
    TensorType{0, "F32", ElementType::kFp32, 4, 1},          TensorType{1, "F16", ElementType::kFp16, 2, 1},
    TensorType{2, "Q4_0", ElementType::kQ4_0, 18, 32},       TensorType{3, "Q4_1", ElementType::kQ4_1, 20, 32},
    TensorType{6, "Q5_0", ElementType::kQ5_0, 22, 32},       TensorType{7, "Q5_1", ElementType::kQ5_1, 24, 32},
    TensorType{8, "Q8_0", ElementType::kQ8_0, 34, 32},       TensorType{9, "Q8_1", ElementType::kBytes, 40, 32},
    TensorType{10, "Q2_K", ElementType::kQ2K, 84, 256},      TensorType{11, "Q3_K", ElementType::kQ3K, 110, 256},
    TensorType{12, "Q4_K", ElementType::kQ4K, 144, 256},     TensorType{13, "Q5_K", ElementType::kQ5K, 176, 256},
    TensorType{14, "Q6_K", ElementType::kQ6K, 210, 256},     TensorType{15, "Q8_K", ElementType::kBytes, 292, 256},
    TensorType{16, "IQ2_XXS", ElementType::kBytes, 66, 256}, TensorType{17, "IQ2_XS", ElementType::kBytes, 74, 256},
    TensorType{18, "IQ3_XXS", ElementType::kBytes, 98, 256}, TensorType{19, "IQ1_S", ElementType::kBytes, 50, 256},
    TensorType{20, "IQ4_NL", ElementType::kIq4Nl, 18, 32},   TensorType{21, "IQ3_S", ElementType::kBytes, 110, 256},
    TensorType{22, "IQ2_S", ElementType::kBytes, 82, 256},   TensorType{23, "IQ4_XS", ElementType::kIq4Xs, 136, 256},
    TensorType{24, "I8", ElementType::kInt8, 1, 1},          TensorType{25, "I16", ElementType::kInt16, 2, 1},
    TensorType{26, "I32", ElementType::kInt32, 4, 1},        TensorType{27, "I64", ElementType::kInt64, 8, 1},
    TensorType{28, "F64", ElementType::kFp64, 8, 1},         TensorType{29, "IQ1_M", ElementType::kBytes, 56, 256},
    TensorType{30, "BF16", ElementType::kBf16, 2, 1},        TensorType{34, "TQ1_0", ElementType::kBytes, 54, 256},
    TensorType{35, "TQ2_0", ElementType::kBytes, 66, 256},   TensorType{39, "MXFP4", ElementType::kMxfp4, 17, 32},
    TensorType{40, "NVFP4", ElementType::kBytes, 36, 64},
};

const TensorType* find_tensor_type(uint32_t number) {
  for (const TensorType& type : kTensorTypes) {
    if (type.number == number) return &type;
  }
  return nullptr;
}

void skip_string(HeaderCursor& cursor) {
  cursor.skip(cursor.read_le<uint64_t>());
}

// An array may hold arrays; `left` has how many values are still to come at each depth. Every value takes bytes of
// the file, so the loop ends with them whatever the counts say.
// Returns whether it is an array of strings.
bool skip_array(HeaderCursor& cursor) {
  bool is_strings = false;
  std::array<uint64_t, kMaxArrayDepth> left{};
  size_t depth = 0;
  do {
    const uint32_t type = cursor.read_le<uint32_t>();
    const uint64_t count = cursor.read_le<uint64_t>();
    if (type == kArray && depth < kMaxArrayDepth) {
      left[depth++] = count;
    } else if (type == kString) {
      is_strings = depth == 0;
      for (uint64_t i = 0; i < count && cursor.ok(); ++i) skip_string(cursor);
    } else if (type < kValueBytes.size() && kValueBytes[type] > 0) {
      cursor.skip(checked_product(count, kValueBytes[type]).value_or(~uint64_t{0}));
    } else {
      cursor.fail();
    }
    while (depth > 0 && left[depth - 1] == 0) --depth;
    if (depth > 0) --left[depth - 1];
  } while (depth > 0 && cursor.ok());
  return is_strings;
}

// A vocabulary is an array of strings; shorter ones are not worth a region.
void note_strings(const HeaderCursor& cursor, uint64_t begin, std::vector<TypedRegion>& strings) {
  constexpr uint64_t kShortestRegion = 1024;
  // Behind the type and the count of the array.
  begin += 12;
  if (!cursor.ok() || cursor.position() < begin + kShortestRegion) return;
  strings.push_back({begin, cursor.position() - begin, ElementType::kStrings});
}

void skip_value(HeaderCursor& cursor, uint32_t type, std::vector<TypedRegion>& strings) {
  if (type == kString) return skip_string(cursor);
  if (type == kArray) {
    const uint64_t begin = cursor.position();
    const bool is_strings = skip_array(cursor);
    if (is_strings) note_strings(cursor, begin, strings);
    return;
  }
  if (type >= kValueBytes.size()) return cursor.fail();
  cursor.skip(kValueBytes[type]);
}

// Passes over the metadata and notes where arrays of strings lie. Returns the alignment of the tensors that it gives.
uint64_t read_metadata(HeaderCursor& cursor, uint64_t count, std::vector<TypedRegion>& strings) {
  constexpr std::string_view kAlignmentKey = "general.alignment";
  uint64_t alignment = kDefaultAlignment;
  for (uint64_t i = 0; i < count && cursor.ok(); ++i) {
    const uint64_t length = cursor.read_le<uint64_t>();
    bool is_alignment = false;
    if (length == kAlignmentKey.size()) {
      const Bytes key = cursor.read(length);
      is_alignment = std::equal(key.begin(), key.end(), kAlignmentKey.begin(), kAlignmentKey.end());
    } else {
      cursor.skip(length);
    }
    const uint32_t type = cursor.read_le<uint32_t>();
    if (is_alignment && type == kUint32) {
      alignment = cursor.read_le<uint32_t>();
    } else {
      skip_value(cursor, type, strings);
    }
  }
  return alignment;
}

// What a tensor's description says. `offset` counts from the begin of the data; the size is not known yet.
struct TensorInfo {
  TensorEntry tensor;
  const TensorType* type = nullptr;
};

// Bytes of a tensor, or nothing when its type or shape does not tell.
std::optional<uint64_t> tensor_bytes(const TensorInfo& info) {
  if (info.type == nullptr) return std::nullopt;
  const std::vector<uint64_t>& shape = info.tensor.shape;
  const std::optional<uint64_t> weights = element_count(shape);
  // Blocks do not go over the end of a row.
  const uint64_t row = shape.empty() ? 1 : shape[0];
  if (!weights || row % info.type->weights != 0) return std::nullopt;
  return checked_product(*weights / info.type->weights, info.type->size);
}

TensorInfo read_info(HeaderCursor& cursor) {
  TensorInfo info;
  TensorEntry& tensor = info.tensor;
  const uint64_t name_length = cursor.read_le<uint64_t>();
  if (name_length > kMaxNameBytes) cursor.fail();
  const Bytes name = cursor.read(name_length);
  tensor.name.assign(name.begin(), name.end());
  const uint32_t dimensions = cursor.read_le<uint32_t>();
  if (dimensions > kMaxDimensions) cursor.fail();
  for (uint32_t i = 0; i < dimensions && cursor.ok(); ++i) tensor.shape.push_back(cursor.read_le<uint64_t>());
  const uint32_t number = cursor.read_le<uint32_t>();
  tensor.offset = cursor.read_le<uint64_t>();
  info.type = find_tensor_type(number);
  tensor.dtype = info.type != nullptr ? info.type->name : "type " + std::to_string(number);
  return info;
}

// Turns offsets into those in the file and finds the sizes. Nothing when a tensor cannot lie where it should.
std::optional<std::vector<TensorEntry>> place_tensors(std::vector<TensorInfo> infos, uint64_t data_begin,
                                                      uint64_t file_size) {
  std::vector<uint64_t> begins;
  begins.reserve(infos.size() + 1);
  for (TensorInfo& info : infos) {
    if (__builtin_add_overflow(info.tensor.offset, data_begin, &info.tensor.offset)) return std::nullopt;
    begins.push_back(info.tensor.offset);
  }
  begins.push_back(file_size);
  std::sort(begins.begin(), begins.end());
  std::vector<TensorEntry> tensors;
  tensors.reserve(infos.size());
  for (TensorInfo& info : infos) {
    const std::optional<uint64_t> size = tensor_bytes(info);
    const auto next = std::upper_bound(begins.begin(), begins.end(), info.tensor.offset);
    if (!size && (next == begins.end() || *next == kUnknownSize)) continue;
    info.tensor.size = size ? *size : *next - info.tensor.offset;
    if (size) info.tensor.type = info.type->type;
    tensors.push_back(std::move(info.tensor));
  }
  return tensors;
}

}  // namespace

std::optional<ModelMap> read_gguf(HeaderSource& file) {
  HeaderCursor cursor(file, 0, file.size());
  cursor.skip(4);
  const uint32_t version = cursor.read_le<uint32_t>();
  if (version != 2 && version != 3) return std::nullopt;
  const uint64_t count = cursor.read_le<uint64_t>();
  const uint64_t values = cursor.read_le<uint64_t>();
  ModelMap map{ModelFormat::kGguf, {}, {}};
  const uint64_t alignment = read_metadata(cursor, values, map.text);
  if (!cursor.ok() || !std::has_single_bit(alignment) || alignment > kMaxAlignment) return std::nullopt;
  if (count > kMaxTensors || count > cursor.remaining() / kMinInfoBytes) return std::nullopt;
  std::vector<TensorInfo> infos;
  for (uint64_t i = 0; i < count; ++i) {
    infos.push_back(read_info(cursor));
    if (!cursor.ok()) return std::nullopt;
  }
  const uint64_t data_begin = (cursor.position() + alignment - 1) & ~(alignment - 1);
  std::optional<std::vector<TensorEntry>> tensors = place_tensors(std::move(infos), data_begin, file.size());
  if (!tensors) return std::nullopt;
  map.tensors = std::move(*tensors);
  return map;
}

}  // namespace glyd

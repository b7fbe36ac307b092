#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace glyd {

// What the elements of an array are. The numbers stand in files (codec/transform/tensor/spec.md has the same table)
// and are never reused.
enum class ElementType : uint8_t {
  kBytes = 0,  // nothing is known
  kBf16 = 1,
  kFp16 = 2,
  kFp32 = 3,
  kFp64 = 4,
  kFp8E4m3 = 5,
  kFp8E5m2 = 6,
  kInt8 = 7,  // signed or not, as below
  kInt16 = 8,
  kInt32 = 9,
  kInt64 = 10,
  // Blocks of quantised weights as GGUF has them (ggml-common.h of the llama.cpp project names their fields).
  kQ4_0 = 16,
  kQ4_1 = 17,
  kQ5_0 = 18,
  kQ5_1 = 19,
  kQ8_0 = 20,
  kQ2K = 21,
  kQ3K = 22,
  kQ4K = 23,
  kQ5K = 24,
  kQ6K = 25,
  kIq4Nl = 26,
  kIq4Xs = 27,
  kMxfp4 = 28,
  // Text, not numbers: strings one after the other, each preceded by its length in bytes (u64).
  kStrings = 29,
  // Text: the JSON of a safetensors header.
  kSafetensorsHeader = 30,
};

// `name` is what --dtype takes and what listings show. `size`: bytes of one element, or of one block of a block format,
// which holds `weights` weights; 1 for what has no fixed size.
struct ElementTypeInfo {
  ElementType type;
  std::string_view name;
  uint32_t size;
  uint32_t weights;
};

inline constexpr std::array kElementTypes = {
    ElementTypeInfo{ElementType::kBytes, "bytes", 1, 1},
    ElementTypeInfo{ElementType::kBf16, "bf16", 2, 1},
    ElementTypeInfo{ElementType::kFp16, "fp16", 2, 1},
    ElementTypeInfo{ElementType::kFp32, "fp32", 4, 1},
    ElementTypeInfo{ElementType::kFp64, "fp64", 8, 1},
    ElementTypeInfo{ElementType::kFp8E4m3, "fp8-e4m3", 1, 1},
    ElementTypeInfo{ElementType::kFp8E5m2, "fp8-e5m2", 1, 1},
    ElementTypeInfo{ElementType::kInt8, "int8", 1, 1},
    ElementTypeInfo{ElementType::kInt16, "int16", 2, 1},
    ElementTypeInfo{ElementType::kInt32, "int32", 4, 1},
    ElementTypeInfo{ElementType::kInt64, "int64", 8, 1},
    ElementTypeInfo{ElementType::kQ4_0, "q4_0", 18, 32},
    ElementTypeInfo{ElementType::kQ4_1, "q4_1", 20, 32},
    ElementTypeInfo{ElementType::kQ5_0, "q5_0", 22, 32},
    ElementTypeInfo{ElementType::kQ5_1, "q5_1", 24, 32},
    ElementTypeInfo{ElementType::kQ8_0, "q8_0", 34, 32},
    ElementTypeInfo{ElementType::kQ2K, "q2_k", 84, 256},
    ElementTypeInfo{ElementType::kQ3K, "q3_k", 110, 256},
    ElementTypeInfo{ElementType::kQ4K, "q4_k", 144, 256},
    ElementTypeInfo{ElementType::kQ5K, "q5_k", 176, 256},
    ElementTypeInfo{ElementType::kQ6K, "q6_k", 210, 256},
    ElementTypeInfo{ElementType::kIq4Nl, "iq4_nl", 18, 32},
    ElementTypeInfo{ElementType::kIq4Xs, "iq4_xs", 136, 256},
    ElementTypeInfo{ElementType::kMxfp4, "mxfp4", 17, 32},
    ElementTypeInfo{ElementType::kStrings, "strings", 1, 1},
    ElementTypeInfo{ElementType::kSafetensorsHeader, "safetensors-header", 1, 1},
};

// Whether regions of the type are text, or nothing known, and not numbers.
constexpr bool is_text(ElementType type) {
  return type == ElementType::kBytes || type >= ElementType::kStrings;
}

// nullptr for a number or name that is not in the list.
constexpr const ElementTypeInfo* find_element_type(uint64_t number) {
  for (const ElementTypeInfo& info : kElementTypes) {
    if (static_cast<uint64_t>(info.type) == number) return &info;
  }
  return nullptr;
}
constexpr const ElementTypeInfo* find_element_type(std::string_view name) {
  for (const ElementTypeInfo& info : kElementTypes) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

// A stretch of content whose elements have one type. `size` need not be a multiple of the element's: a rest at the end
// is taken as bytes.
struct TypedRegion {
  uint64_t offset = 0;
  uint64_t size = 0;
  ElementType type = ElementType::kBytes;
};

}  // namespace glyd

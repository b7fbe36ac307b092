#include <gtest/gtest.h>

#include "tests/model/model_fixtures.h"

namespace glyd {
namespace {

using testing::region_listing;

ModelMap map_with(const std::vector<TypedRegion>& places) {
  ModelMap map;
  for (const TypedRegion& place : places) {
    map.tensors.push_back({"t" + std::to_string(map.tensors.size()), "", place.type, {}, place.offset, place.size});
  }
  return map;
}

TEST(ModelRegions, NeighboursOfOneTypeAreJoined) {
  const ModelMap map = map_with({{10, 8, ElementType::kFp32},
                                 {18, 4, ElementType::kFp32},
                                 {22, 2, ElementType::kBf16},
                                 {24, 2, ElementType::kBf16},
                                 {30, 4, ElementType::kBf16}});
  EXPECT_EQ(region_listing(map), "fp32 10+12\nbf16 22+4\nbf16 30+4\n");
}

TEST(ModelRegions, AnIncompleteElementEndsARegion) {
  const ModelMap map = map_with({{0, 6, ElementType::kFp32}, {6, 8, ElementType::kFp32}});
  EXPECT_EQ(region_listing(map), "fp32 0+6\nfp32 6+8\n");
}

TEST(ModelRegions, TheFirstOfSeveralTensorsHasTheBytes) {
  EXPECT_EQ(region_listing(map_with({{0, 16, ElementType::kFp32}, {0, 16, ElementType::kFp16}})), "fp32 0+16\n");
  EXPECT_EQ(region_listing(map_with({{0, 16, ElementType::kFp32}, {4, 4, ElementType::kFp16}})), "fp32 0+16\n");
  EXPECT_EQ(region_listing(map_with({{0, 16, ElementType::kFp32}, {8, 16, ElementType::kFp32}})), "fp32 0+24\n");
  EXPECT_EQ(region_listing(map_with({{0, 6, ElementType::kFp16}, {4, 16, ElementType::kFp32}})),
            "fp16 0+6\nfp32 8+12\n");
  // Less than an element is left of the second.
  EXPECT_EQ(region_listing(map_with({{0, 10, ElementType::kFp16}, {4, 8, ElementType::kFp64}})), "fp16 0+10\n");
}

TEST(ModelRegions, EmptyTensorsHaveNone) {
  EXPECT_EQ(region_listing(map_with({{4, 0, ElementType::kFp32}, {4, 4, ElementType::kFp32}})), "fp32 4+4\n");
  EXPECT_TRUE(ModelMap().regions().empty());
}

TEST(ModelRegions, OffsetsUpToTheLastByteOfAFile) {
  constexpr uint64_t kNearEnd = ~uint64_t{0} - 8;
  const ModelMap map = map_with({{kNearEnd, 5, ElementType::kFp16}, {kNearEnd + 1, 7, ElementType::kFp16}});
  const std::vector<TypedRegion> regions = map.regions();
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[1].offset + regions[1].size, ~uint64_t{0});
}

TEST(ModelMap, FindsByTheWholeName) {
  ModelMap map = map_with({{0, 4, ElementType::kFp32}, {4, 4, ElementType::kFp32}});
  ASSERT_NE(map.find("t1"), nullptr);
  EXPECT_EQ(map.find("t1")->offset, 4u);
  EXPECT_EQ(map.find("t"), nullptr);
  EXPECT_EQ(map.find(""), nullptr);
}

TEST(ModelMap, OtherFilesAreNone) {
  for (const std::string text :
       {"", "x", "GGUF", "PK\x03\x04", "\x93NUMPY", "a text of some length, {and brackets}", "12345678{\"a\":1}"}) {
    EXPECT_FALSE(testing::map_of(testing::text_bytes(text)).has_value()) << text;
  }
}

// A source whose reads fail.
class BrokenSource : public RandomAccessSource {
 public:
  explicit BrokenSource(Code code) : code_(code) {}
  Result<uint64_t> size() override { return uint64_t{1000}; }
  Status read_at(uint64_t, MutableBytes) override { return Status(code_); }

 private:
  Code code_;
};

TEST(ModelMap, ErrorsOfTheFileArePassedOn) {
  BrokenSource broken(Code::kIo);
  EXPECT_EQ(read_model_map(broken, 1000).status().code(), Code::kIo);
  BrokenSource shorter(Code::kTruncated);
  const auto map = read_model_map(shorter, 1000);
  ASSERT_TRUE(map.ok());
  EXPECT_FALSE(map->has_value());
}

TEST(ElementTypes, NumbersAndNamesAreThereOnce) {
  for (const ElementTypeInfo& info : kElementTypes) {
    EXPECT_EQ(find_element_type(static_cast<uint64_t>(info.type)), &info);
    EXPECT_EQ(find_element_type(info.name), &info);
  }
  EXPECT_EQ(find_element_type(uint64_t{11}), nullptr);
  EXPECT_EQ(find_element_type("float"), nullptr);
}

}  // namespace
}  // namespace glyd

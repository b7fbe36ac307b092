#include <gtest/gtest.h>

#include "tests/model/model_fixtures.h"

namespace glyd {
namespace {

using testing::listing;
using testing::map_of;
using testing::safetensors_file;

// The listing of a file with this header and 64 bytes of data; offsets count from the data.
std::string listing_of(const std::string& json, size_t data_size = 64) {
  std::optional<ModelMap> map = map_of(safetensors_file(json, data_size));
  if (!map) return "none";
  for (TensorEntry& tensor : map->tensors) tensor.offset -= 8 + json.size();
  return listing(*map);
}

TEST(SafetensorsReader, Tensors) {
  const std::string json =
      R"( {"__metadata__":{"format":"pt"},
          "w.b":{"shape":[2,3],"data_offsets":[8,20],"dtype":"BF16"},
          "w.a":{"dtype":"I64","shape":[],"data_offsets":[0,8]}}     )";
  // A header begins with a bracket; the space in front of it is a mistake.
  EXPECT_FALSE(map_of(safetensors_file(json, 20)).has_value());
  const std::optional<ModelMap> map = map_of(safetensors_file(json.substr(1), 20));
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->format, ModelFormat::kSafetensors);
  EXPECT_EQ(listing_of(json.substr(1), 20), "w.a I64 int64 [] 0+8\nw.b BF16 bf16 [2,3] 8+12\n");
}

TEST(SafetensorsReader, EveryDtype) {
  const std::vector<std::pair<std::string, std::string>> dtypes = {
      {"BF16", "bf16"},        {"F16", "fp16"},  {"F32", "fp32"},  {"F64", "fp64"},  {"F8_E4M3", "fp8-e4m3"},
      {"F8_E5M2", "fp8-e5m2"}, {"I8", "int8"},   {"U8", "int8"},   {"BOOL", "int8"}, {"I16", "int16"},
      {"U16", "int16"},        {"I32", "int32"}, {"U32", "int32"}, {"I64", "int64"}, {"U64", "int64"}};
  for (const auto& [dtype, type] : dtypes) {
    const uint32_t size = 2 * find_element_type(type)->size;
    const std::string json =
        R"({"t":{"dtype":")" + dtype + R"(","shape":[2],"data_offsets":[0,)" + std::to_string(size) + "]}}";
    EXPECT_EQ(listing_of(json), "t " + dtype + " " + type + " [2] 0+" + std::to_string(size) + "\n");
  }
  EXPECT_EQ(listing_of(R"({"t":{"dtype":"F4","shape":[16],"data_offsets":[0,8]}})"), "t F4 bytes [16] 0+8\n");
}

TEST(SafetensorsReader, AShapeThatDoesNotGiveTheSizeMakesBytes) {
  EXPECT_EQ(listing_of(R"({"t":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})"), "t F32 bytes [3] 0+8\n");
  EXPECT_EQ(listing_of(R"({"t":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,8]}})"),
            "t F32 bytes [4294967296,4294967296,4] 0+8\n");
  EXPECT_EQ(listing_of(R"({"t":{"dtype":"F32","shape":[4294967296,4294967296,0],"data_offsets":[8,8]}})"),
            "t F32 fp32 [4294967296,4294967296,0] 8+0\n");
}

TEST(SafetensorsReader, EntriesWithoutAPlaceInTheFileAreLeftOut) {
  const std::string good = R"("good":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  for (const std::string bad : {
           R"({"bad":{"dtype":"F32","shape":[1],"data_offsets":[8,4]},)",
           R"({"bad":{"dtype":"F32","shape":[1],"data_offsets":[61,65]},)",
           R"({"bad":{"dtype":"F32","shape":[1],"data_offsets":[18446744073709551612,18446744073709551615]},)",
           R"({"bad":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]},)",
           R"({"bad":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]},)",
           R"({"bad":{"dtype":"F32","shape":[1],"data_offsets":[0]},)",
           R"({"bad":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]},)",
           R"({"bad":{"dtype":"F32","shape":1,"data_offsets":[0,4]},)",
           R"({"bad":{"dtype":4,"shape":[1],"data_offsets":[0,4]},)",
           R"({"bad":{"dtype":"F32","data_offsets":[0,4]},)",
           R"({"bad":{},)",
           R"({"bad":[1,2],)",
           R"({"bad":null,)",
       }) {
    EXPECT_EQ(listing_of(bad + good), "good F32 fp32 [1] 0+4\n") << bad;
  }
}

TEST(SafetensorsReader, TheFirstOfTwoNamesCounts) {
  EXPECT_EQ(listing_of(R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                       R"("t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})"),
            "t F32 fp32 [1] 4+4\n");
  EXPECT_EQ(listing_of(R"({"t":{"dtype":"F32","dtype":"I8","shape":[1],"data_offsets":[4,8],"data_offsets":[0,1]}})"),
            "t F32 fp32 [1] 4+4\n");
}

TEST(SafetensorsReader, NamesWithEscapes) {
  EXPECT_EQ(listing_of(R"({"a\"\u00e9\n":{"dtype":"I8","shape":[1],"data_offsets":[4,5]}})"),
            "a\"\xc3\xa9\n I8 int8 [1] 4+1\n");
}

TEST(SafetensorsReader, OtherJsonIsNone) {
  for (const std::string json : {"{", "{]", "[]", "{}}", "{\"a\":}", "{\"a\":\"\xff\"}"}) {
    EXPECT_FALSE(map_of(safetensors_file(json, 16)).has_value()) << json;
  }
  std::string deep = "{\"a\":";
  for (int i = 0; i < 1000; ++i) deep += '[';
  for (int i = 0; i < 1000; ++i) deep += ']';
  EXPECT_FALSE(map_of(safetensors_file(deep + "}", 16)).has_value());
}

TEST(SafetensorsReader, ALengthThatIsNotThere) {
  testing::FileBytes file = safetensors_file("{}", 0);
  for (const uint64_t length : {uint64_t{0}, uint64_t{1}, uint64_t{3}, uint64_t{99'999'999}, ~uint64_t{0}}) {
    store_le(file.data(), length);
    EXPECT_FALSE(map_of(file).has_value()) << length;
  }
}

TEST(SafetensorsReader, TheBeginningOfAFileIsEnough) {
  const std::string json = R"({"t":{"dtype":"BF16","shape":[500000000],"data_offsets":[0,1000000000]}})";
  const testing::FileBytes file = safetensors_file(json, 10);
  const uint64_t file_size = 8 + json.size() + 1000000000;
  const std::optional<ModelMap> map = testing::map_of_beginning(file, file.size(), file_size);
  ASSERT_TRUE(map.has_value());
  EXPECT_TRUE(testing::region_listing(*map).ends_with("safetensors-header 8+72\nbf16 " +
                                                      std::to_string(8 + json.size()) + "+1000000000\n"));
  EXPECT_TRUE(testing::map_of_beginning(file, file.size(), file_size - 1)->tensors.empty());
  EXPECT_EQ(testing::map_of_beginning(file, file.size(), kUnknownSize)->tensors.size(), 1u);
  // The header has to be there in whole.
  EXPECT_FALSE(testing::map_of_beginning(file, 8 + json.size() - 1, file_size).has_value());
}

}  // namespace
}  // namespace glyd

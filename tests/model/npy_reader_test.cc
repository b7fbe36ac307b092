#include <gtest/gtest.h>

#include "tests/model/model_fixtures.h"

namespace glyd {
namespace {

using testing::map_of;
using testing::npy_file;

std::string listing_of(const std::string& dictionary, size_t data_size = 64, uint8_t version = 1) {
  const testing::FileBytes file = npy_file(version, dictionary, data_size);
  std::optional<ModelMap> map = map_of(file);
  if (!map) return "none";
  for (TensorEntry& tensor : map->tensors) tensor.offset -= file.size() - data_size;
  return testing::listing(*map);
}

TEST(NpyReader, EveryVersion) {
  for (const uint8_t version : {uint8_t{1}, uint8_t{2}, uint8_t{3}}) {
    EXPECT_EQ(listing_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }     \n", 24, version),
              "array <f4 fp32 [2,3] 0+24\n");
  }
  EXPECT_EQ(listing_of("{'descr': '<f4', 'shape': (2, 3), }", 24, 0), "none");
  EXPECT_EQ(listing_of("{'descr': '<f4', 'shape': (2, 3), }", 24, 4), "none");
}

TEST(NpyReader, TheDictionaryIsReadAsPythonWould) {
  for (const std::string text : {
           "{'shape':(2,3),'descr':'<f2'}",
           "{ \"descr\" : \"<f2\" , \"shape\" : ( 2 , 3 , ) , }",
           "{'other': {'shape': (9,)}, 'list': [1, '}', (2)], 'descr': '<f2', 'shape': (2L, 3L)}",
           "{'descr': '<f2', 'shape': (2, 3), 'descr': '<f4', 'shape': (1,)}",
       }) {
    EXPECT_EQ(listing_of(text), "array <f2 fp16 [2,3] 0+12\n") << text;
  }
  for (const std::string text : {
           "",
           "{",
           "}",
           "{}",
           "'descr'",
           "{'descr': '<f2'}",
           "{'shape': (2,)}",
           "{'descr': '<f2', 'shape': (2, 3)",
           "{'descr': '<f2' 'shape': (2, 3)}",
           "{'descr': '<f2', 'shape': 2}",
           "{'descr': '<f2', 'shape': (2, 3}",
           "{'descr': '<f2', 'shape': (-2,)}",
           "{'descr': '<f2', 'shape': (2.5,)}",
           "{'descr: '<f2', 'shape': (2,)}",
           "{descr: '<f2', 'shape': (2,)}",
           "{'descr': , 'shape': (2,)}",
           "{'descr': '<f2', 'shape': (,)}",
       }) {
    EXPECT_EQ(listing_of(text), "none") << text;
  }
}

TEST(NpyReader, Shapes) {
  EXPECT_EQ(listing_of("{'descr': '<f8', 'shape': ()}"), "array <f8 fp64 [] 0+8\n");
  EXPECT_EQ(listing_of("{'descr': '<f8', 'shape': (0, 18446744073709551615)}"),
            "array <f8 fp64 [0,18446744073709551615] 0+0\n");
  EXPECT_EQ(listing_of("{'descr': '<f8', 'shape': (4294967296, 4294967296)}"), "none");
  EXPECT_EQ(listing_of("{'descr': '<f8', 'shape': (18446744073709551616,)}"), "none");
  EXPECT_EQ(listing_of("{'descr': '<f8', 'shape': (9,)}"), "none");  // there are 64 bytes
}

TEST(NpyReader, EveryDescr) {
  const std::vector<std::pair<std::string, std::string>> descrs = {
      {"<f2", "fp16"},  {"<f4", "fp32"},  {"<f8", "fp64"},  {"|i1", "int8"},  {"|u1", "int8"},
      {"|b1", "int8"},  {"<i2", "int16"}, {"<u2", "int16"}, {"<i4", "int32"}, {"<u4", "int32"},
      {"<i8", "int64"}, {"<u8", "int64"}, {"|V2", "bf16"},  {"<V2", "bf16"},  {"<f1", "fp8-e5m2"}};
  for (const auto& [descr, type] : descrs) {
    const uint32_t size = find_element_type(type)->size;
    EXPECT_EQ(listing_of("{'descr': '" + descr + "', 'shape': (2,)}"),
              "array " + descr + " " + type + " [2] 0+" + std::to_string(2 * size) + "\n");
  }
  EXPECT_EQ(listing_of("{'descr': '<c8', 'shape': (2,)}"), "array <c8 fp32 [2] 0+16\n");
  EXPECT_EQ(listing_of("{'descr': '<c16', 'shape': (2,)}"), "array <c16 fp64 [2] 0+32\n");
  EXPECT_EQ(listing_of("{'descr': '>f4', 'shape': (2,)}"), "array >f4 bytes [2] 0+8\n");
  EXPECT_EQ(listing_of("{'descr': '|V1', 'shape': (2,)}"), "array |V1 bytes [2] 0+2\n");
  EXPECT_EQ(listing_of("{'descr': '<U3', 'shape': (2,)}"), "array <U3 bytes [2] 0+24\n");
  EXPECT_EQ(listing_of("{'descr': '<M8[s]', 'shape': (2,)}"), "array <M8[s] bytes [2] 0+16\n");
}

TEST(NpyReader, RecordsAndObjectsTakeTheRest) {
  EXPECT_EQ(listing_of("{'descr': [('a', '<f4'), ('b', '>i2', (2,))], 'shape': (2,)}"),
            "array records bytes [2] 0+64\n");
  EXPECT_EQ(listing_of("{'descr': '|O', 'shape': (2,)}"), "array |O bytes [2] 0+64\n");
  const testing::FileBytes file = npy_file(1, "{'descr': '|O', 'shape': (2,)}", 64);
  EXPECT_FALSE(testing::map_of_beginning(file, file.size(), kUnknownSize).has_value());
}

TEST(NpyReader, TheBeginningOfAFileIsEnough) {
  const testing::FileBytes file = npy_file(1, "{'descr': '<f4', 'shape': (1000000,)}", 4);
  const uint64_t data = file.size() - 4;
  for (const uint64_t file_size : {data + 4000000, kUnknownSize}) {
    const std::optional<ModelMap> map = testing::map_of_beginning(file, file.size(), file_size);
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(testing::region_listing(*map), "fp32 " + std::to_string(data) + "+4000000\n");
  }
  EXPECT_FALSE(testing::map_of_beginning(file, file.size(), data + 3999999).has_value());
  EXPECT_FALSE(testing::map_of_beginning(file, data - 1, kUnknownSize).has_value());
}

}  // namespace
}  // namespace glyd

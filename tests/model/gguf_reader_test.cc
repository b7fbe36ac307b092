#include <gtest/gtest.h>

#include "tests/model/model_fixtures.h"

namespace glyd {
namespace {

using testing::FileBytes;
using testing::gguf_string;
using testing::GgufBuilder;
using testing::map_of;

// Offsets count from the data, which are the last `data_size` bytes.
std::string listing_of(const FileBytes& file, size_t data_size) {
  std::optional<ModelMap> map = map_of(file);
  if (!map) return "none";
  for (TensorEntry& tensor : map->tensors) tensor.offset -= file.size() - data_size;
  return testing::listing(*map);
}

template <typename... Values>
FileBytes bytes_of(Values... values) {
  FileBytes bytes;
  (append_le(bytes, values), ...);
  return bytes;
}

FileBytes operator+(FileBytes a, const FileBytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(GgufReader, Tensors) {
  for (const uint32_t version : {2u, 3u}) {
    GgufBuilder builder(version);
    builder.tensor("second", {32, 3}, 8, 128).tensor("first", {5, 2}, 0, 0).tensor("third", {256}, 12, 256);
    EXPECT_EQ(listing_of(builder.file(400), 400),
              "first F32 fp32 [5,2] 0+40\n"
              "second Q8_0 q8_0 [32,3] 128+102\n"
              "third Q4_K q4_k [256] 256+144\n");
  }
}

TEST(GgufReader, EveryBlockTypeHasTheSizeOfItsRow) {
  const std::vector<std::pair<uint32_t, std::string>> types = {
      {0, "fp32"},  {1, "fp16"},   {2, "q4_0"},   {3, "q4_1"},   {6, "q5_0"},  {7, "q5_1"},    {8, "q8_0"},
      {10, "q2_k"}, {11, "q3_k"},  {12, "q4_k"},  {13, "q5_k"},  {14, "q6_k"}, {20, "iq4_nl"}, {23, "iq4_xs"},
      {24, "int8"}, {25, "int16"}, {26, "int32"}, {27, "int64"}, {28, "fp64"}, {30, "bf16"},   {39, "mxfp4"}};
  for (const auto& [number, name] : types) {
    const ElementTypeInfo& info = *find_element_type(name);
    GgufBuilder builder;
    builder.tensor("t", {info.weights * 2, 3}, number, 0);
    const std::optional<ModelMap> map = map_of(builder.file(6 * info.size));
    ASSERT_TRUE(map && map->tensors.size() == 1) << name;
    EXPECT_EQ(map->tensors[0].type, info.type) << name;
    EXPECT_EQ(map->tensors[0].size, 6 * info.size) << name;
  }
}

TEST(GgufReader, MetadataOfEveryKindIsPassedOver) {
  GgufBuilder builder;
  builder.value("u8", 0, FileBytes(1)).value("i16", 3, FileBytes(2)).value("u32", 4, FileBytes(4));
  builder.value("f32", 6, FileBytes(4)).value("bool", 7, FileBytes(1)).value("f64", 12, FileBytes(8));
  builder.value("string", 8, gguf_string("text")).value("", 10, FileBytes(8));
  builder.value("array", 9, bytes_of(uint32_t{5}, uint64_t{3}) + FileBytes(12));
  builder.value("empty", 9, bytes_of(uint32_t{9}, uint64_t{0}));
  builder.value("strings", 9, bytes_of(uint32_t{8}, uint64_t{2}) + gguf_string("a") + gguf_string(""));
  const FileBytes inner = bytes_of(uint32_t{0}, uint64_t{2}) + FileBytes(2);
  const FileBytes middle = bytes_of(uint32_t{9}, uint64_t{2}) + inner + inner;
  builder.value("nested", 9, bytes_of(uint32_t{9}, uint64_t{3}) + middle + bytes_of(uint32_t{9}, uint64_t{0}) + middle);
  builder.tensor("t", {4}, 24, 0);
  EXPECT_EQ(listing_of(builder.file(4), 4), "t I8 int8 [4] 0+4\n");
}

TEST(GgufReader, Alignment) {
  GgufBuilder builder;
  builder.value("general.alignment", 4, bytes_of(uint32_t{256})).tensor("t", {4}, 24, 0);
  EXPECT_EQ(listing_of(builder.file(4, 256), 4), "t I8 int8 [4] 0+4\n");
  for (const uint32_t wrong : {0u, 3u, 48u, 1u << 31}) {
    GgufBuilder other;
    other.value("general.alignment", 4, bytes_of(wrong)).tensor("t", {4}, 24, 0);
    EXPECT_EQ(listing_of(other.file(4), 4), "none") << wrong;
  }
}

TEST(GgufReader, AnUnknownTypeReachesToTheNextTensor) {
  GgufBuilder builder;
  builder.tensor("b", {7}, 1000, 64).tensor("a", {7}, 1000, 0).tensor("c", {33}, 2, 96).tensor("d", {32}, 2, 160);
  EXPECT_EQ(listing_of(builder.file(178), 178),
            "a type 1000 bytes [7] 0+64\n"
            "b type 1000 bytes [7] 64+32\n"
            "c Q4_0 bytes [33] 96+64\n"
            "d Q4_0 q4_0 [32] 160+18\n");
  GgufBuilder last;
  last.tensor("a", {4}, 24, 0).tensor("b", {7}, 1000, 32);
  const FileBytes file = last.file(40);
  EXPECT_EQ(listing_of(file, 40), "a I8 int8 [4] 0+4\nb type 1000 bytes [7] 32+8\n");
  // Nobody knows where it ends.
  EXPECT_EQ(testing::map_of_beginning(file, file.size(), kUnknownSize)->tensors.size(), 1u);
  // A type that is known by its size only.
  GgufBuilder sized;
  sized.tensor("t", {256}, 17, 0);
  EXPECT_EQ(listing_of(sized.file(96), 96), "t IQ2_XS bytes [256] 0+74\n");
}

TEST(GgufReader, HostileNumbers) {
  EXPECT_EQ(listing_of(GgufBuilder(1).tensor("t", {4}, 24, 0).file(4), 4), "none");
  EXPECT_EQ(listing_of(GgufBuilder(0x03000000).tensor("t", {4}, 24, 0).file(4), 4), "none");
  for (const uint64_t count : {uint64_t{2}, uint64_t{1} << 30, ~uint64_t{0}}) {
    EXPECT_EQ(listing_of(GgufBuilder().tensor("t", {4}, 24, 0).claim_tensors(count).file(4), 4), "none") << count;
  }
  // A product and a sum above 64 bits.
  EXPECT_EQ(listing_of(GgufBuilder().tensor("t", {1u << 31, 1u << 31, 16}, 0, 0).file(4), 4),
            "t F32 bytes [2147483648,2147483648,16] 0+4\n");
  EXPECT_EQ(listing_of(GgufBuilder().tensor("t", {4}, 24, ~uint64_t{0}).file(4), 4), "none");
  EXPECT_EQ(listing_of(GgufBuilder().tensor("t", {4}, 24, 32).file(4), 4), "");
  EXPECT_EQ(listing_of(GgufBuilder().tensor("t", std::vector<uint64_t>(9, 1), 24, 0).file(4), 4), "none");
  // Arrays that claim more than there is, or go too deep.
  const FileBytes huge_count = bytes_of(uint32_t{12}, ~uint64_t{0} / 2);
  EXPECT_EQ(listing_of(GgufBuilder().value("k", 9, huge_count).file(0), 0), "none");
  EXPECT_EQ(listing_of(GgufBuilder().value("k", 9, bytes_of(uint32_t{8}, ~uint64_t{0})).file(0), 0), "none");
  EXPECT_EQ(listing_of(GgufBuilder().value("k", 13, FileBytes(8)).file(0), 0), "none");
  FileBytes deep;
  for (int i = 0; i < 100; ++i) deep = deep + bytes_of(uint32_t{9}, uint64_t{1});
  EXPECT_EQ(listing_of(GgufBuilder().value("k", 9, deep + bytes_of(uint32_t{0}, uint64_t{0})).file(0), 0), "none");
}

TEST(GgufReader, NamesAreBytesAndThereOnce) {
  GgufBuilder builder;
  builder.tensor("\xff\x01", {4}, 24, 0).tensor("\xff\x01", {4}, 24, 32);
  EXPECT_EQ(listing_of(builder.file(36), 36), "\xff\x01 I8 int8 [4] 0+4\n");
}

// Counts the reads, which have to be few however many values there are.
class CountingSource : public MemorySource {
 public:
  using MemorySource::MemorySource;
  Status read_at(uint64_t offset, MutableBytes destination) override {
    ++reads;
    bytes_read += destination.size();
    return MemorySource::read_at(offset, destination);
  }
  size_t reads = 0;
  size_t bytes_read = 0;
};

TEST(GgufReader, ALargeVocabularyTakesFewReads) {
  FileBytes vocabulary = bytes_of(uint32_t{8}, uint64_t{200000});
  const FileBytes token = gguf_string("token");
  for (int i = 0; i < 200000; ++i) vocabulary.insert(vocabulary.end(), token.begin(), token.end());
  GgufBuilder builder;
  builder.value("tokens", 9, vocabulary).tensor("t", {4}, 24, 0);
  const FileBytes file = builder.file(4);
  CountingSource source(file);
  const auto map = read_model_map(source, file.size());
  ASSERT_TRUE(map.ok() && map->has_value());
  EXPECT_EQ((*map)->tensors.size(), 1u);
  // Its strings are a region of their own, behind "tokens", the types and the count.
  EXPECT_EQ(testing::region_listing(**map).substr(0, 19), "strings 54+2600000\n");
  EXPECT_LT(source.reads, 30u);
  EXPECT_LT(source.bytes_read, file.size() * 2);
}

}  // namespace
}  // namespace glyd

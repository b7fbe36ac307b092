#include <gtest/gtest.h>

#include "tests/model/model_fixtures.h"

namespace glyd {
namespace {

using testing::FileBytes;
using testing::listing;
using testing::map_of;
using testing::npy_file;
using testing::text_bytes;
using testing::ZipBuilder;
namespace pickle = testing::pickle;

FileBytes small_array() {
  return npy_file(1, "{'descr': '<f2', 'shape': (3,)}", 6);
}
constexpr uint64_t kHeaderSize = 10 + 31;  // of it

std::string small_listing(const std::string& name, uint64_t data) {
  return name + " <f2 fp16 [3] " + std::to_string(data + kHeaderSize) + "+6\n";
}

TEST(NpzReader, Arrays) {
  ZipBuilder zip;
  zip.member("b.npy", small_array());
  const uint64_t first = zip.last_data();
  zip.member("text", text_bytes("no array")).member("folder/a.npy", small_array(), {.padding = 17});
  const std::optional<ModelMap> map = map_of(zip.file());
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->format, ModelFormat::kNpz);
  EXPECT_EQ(listing(*map), small_listing("b", first) + small_listing("folder/a", zip.last_data()));
}

TEST(NpzReader, CompressedAndEncryptedMembersAreLeftOut) {
  ZipBuilder zip;
  zip.member("a.npy", small_array(), {.compressed = true}).member("b.npy", small_array(), {.encrypted = true});
  EXPECT_FALSE(map_of(zip.file()).has_value());
  zip.member("c.npy", small_array());
  EXPECT_EQ(listing(*map_of(zip.file())), small_listing("c", zip.last_data()));
}

TEST(NpzReader, Zip64AndComments) {
  for (const bool zip64 : {false, true}) {
    for (const std::string comment : {"", "a comment", "PK\x05\x06 and more than twenty-two bytes of it"}) {
      ZipBuilder zip;
      zip.member("x", FileBytes(100)).member("a.npy", small_array(), {.zip64 = zip64});
      const std::optional<ModelMap> map = map_of(zip.file(comment, zip64));
      ASSERT_TRUE(map.has_value());
      EXPECT_EQ(listing(*map), small_listing("a", zip.last_data()));
    }
  }
}

TEST(NpzReader, TheFirstOfTwoNamesCounts) {
  ZipBuilder zip;
  zip.member("a.npy", small_array());
  const uint64_t first = zip.last_data();
  zip.member("a.npy", small_array());
  EXPECT_EQ(listing(*map_of(zip.file())), small_listing("a", first));
}

TEST(NpzReader, OnlyWithTheWholeFile) {
  const FileBytes file = ZipBuilder().member("a.npy", small_array()).file();
  EXPECT_TRUE(testing::map_of_beginning(file, file.size(), file.size()).has_value());
  EXPECT_FALSE(testing::map_of_beginning(file, file.size(), file.size() + 1).has_value());
  EXPECT_FALSE(testing::map_of_beginning(file, file.size(), kUnknownSize).has_value());
  EXPECT_FALSE(testing::map_of_beginning(file, file.size() - 1, file.size()).has_value());
}

TEST(NpzReader, HostileDirectories) {
  const FileBytes good = ZipBuilder().member("a.npy", small_array()).file();
  const size_t end = good.size() - 22;
  for (const auto& [at, value] : std::vector<std::pair<size_t, uint32_t>>{
           {end + 10, 0xFFFF}, {end + 12, 0xFFFFFFFF}, {end + 12, 0}, {end + 16, 0xFFFFFFFF}, {end + 16, 0}}) {
    FileBytes file = good;
    store_le(file.data() + at, value);
    EXPECT_FALSE(map_of(file).has_value()) << at;
  }
  // The entry's size and place: beyond the file, and not those of a header.
  const size_t entry = end - 46 - 5;
  for (const auto& [at, value] : std::vector<std::pair<size_t, uint32_t>>{
           {entry + 42, 0xFFFFFFF0}, {entry + 42, 1}, {entry + 20, 1u << 30}, {entry + 24, 1u << 30}}) {
    FileBytes file = good;
    store_le(file.data() + at, value);
    EXPECT_FALSE(map_of(file).has_value()) << at;
  }
}

// A file as torch.save() writes it, with storages "0" (24 bytes) and "1" (16 bytes).
struct TorchFile {
  explicit TorchFile(const std::string& value, const std::string& folder = "archive/") {
    ZipBuilder zip;
    zip.member(folder + "data.pkl", pickle::whole(value));
    zip.member(folder + "data/0", FileBytes(24, 1));
    first = zip.last_data();
    zip.member(folder + "data/1", FileBytes(16, 2), {.padding = 5});
    second = zip.last_data();
    zip.member(folder + "version", text_bytes("3\n"));
    bytes = zip.file();
  }
  FileBytes bytes;
  uint64_t first = 0;
  uint64_t second = 0;
};

// Offsets count from the storage that they lie in: 0 and more in "0", 1000 and more in "1".
std::string torch_listing(const std::string& value) {
  const TorchFile file(value);
  std::optional<ModelMap> map = map_of(file.bytes);
  if (!map) return "none";
  EXPECT_EQ(map->format, ModelFormat::kPytorch);
  for (TensorEntry& tensor : map->tensors) {
    tensor.offset = tensor.offset < file.second ? tensor.offset - file.first : tensor.offset - file.second + 1000;
  }
  return listing(*map);
}

const std::string kFloats = pickle::storage("torch", "FloatStorage", "0", 6);
const std::string kHalves = pickle::storage("torch", "HalfStorage", "1", 8);
const std::string kWhole0 = pickle::tensor(kFloats, 0, {2, 3}, {3, 1});
const std::string kWhole1 = pickle::tensor(kHalves, 0, {8}, {1});

TEST(PytorchReader, NestedNames) {
  using namespace pickle;
  const std::string ordered = global("collections", "OrderedDict") + ")R(" + text("w") + kWhole0 + text("b") + kWhole1 +
                              "u}" + text("_metadata") + "}sb";
  EXPECT_EQ(torch_listing(dictionary({{text("model"), ordered}, {text("epoch"), number(3)}})),
            "model.w float32 fp32 [2,3] 0+24\nmodel.b float16 fp16 [8] 1000+16\n");
  EXPECT_EQ(torch_listing(tuple({kWhole0, "]" + kWhole1 + "a"})),
            "0 float32 fp32 [2,3] 0+24\n1.0 float16 fp16 [8] 1000+16\n");
  EXPECT_EQ(torch_listing(dictionary({{number(7), dictionary({{text("w"), kWhole0}})}})),
            "7.w float32 fp32 [2,3] 0+24\ndata/1 bytes bytes [16] 1000+16\n");
  // A module: attributes are the object's state.
  const std::string module =
      global("torch.nn.modules.linear", "Linear") + ")\x81" +
      dictionary({{text("_parameters"), dictionary({{text("weight"), kWhole0}})}, {text("bias"), kWhole1}}) + "b";
  EXPECT_EQ(torch_listing(dictionary({{text("m"), module}})),
            "m._parameters.weight float32 fp32 [2,3] 0+24\nm.bias float16 fp16 [8] 1000+16\n");
}

TEST(PytorchReader, AFolderOfAnyNameOrNone) {
  for (const std::string folder : {"", "x/", "model/part.1/"}) {
    const TorchFile file(pickle::dictionary({{pickle::text("w"), kWhole0}}), folder);
    const std::optional<ModelMap> map = map_of(file.bytes);
    ASSERT_TRUE(map.has_value());
    ASSERT_NE(map->find("w"), nullptr);
    EXPECT_EQ(map->find("w")->offset, file.first);
    ASSERT_NE(map->find("data/1"), nullptr);
    EXPECT_EQ(map->find("data/1")->offset, file.second);
  }
}

TEST(PytorchReader, ViewsAndStrides) {
  using namespace pickle;
  // A view of a part; one that is transposed has no place; the storage is there for what they leave out.
  EXPECT_EQ(torch_listing(dictionary({{text("part"), tensor(kFloats, 2, {3}, {1})},
                                      {text("across"), tensor(kFloats, 0, {3, 2}, {1, 3})},
                                      {text("all"), kWhole1},
                                      {text("tied"), kWhole1}})),
            "data/0 float32 fp32 [6] 0+24\n"
            "part float32 fp32 [3] 8+12\n"
            "all float16 fp16 [8] 1000+16\n"
            "tied float16 fp16 [8] 1000+16\n");
  // The stride of a dimension of one does not count.
  EXPECT_EQ(torch_listing(dictionary({{text("a"), tensor(kFloats, 0, {6, 1}, {1, 77})}, {text("b"), kWhole1}})),
            "a float32 fp32 [6,1] 0+24\nb float16 fp16 [8] 1000+16\n");
  EXPECT_EQ(torch_listing(dictionary({{text("s"), tensor(kFloats, 5, {}, {})},
                                      {text("empty"), tensor(kFloats, 0, {0, 3}, {3, 1})},
                                      {text("b"), kWhole1}})),
            "data/0 float32 fp32 [6] 0+24\n"
            "empty float32 fp32 [0,3] 0+0\n"
            "s float32 fp32 [] 20+4\n"
            "b float16 fp16 [8] 1000+16\n");
}

TEST(PytorchReader, ParametersAndLaterDtypes) {
  using namespace pickle;
  const std::string hooks = call(global("collections", "OrderedDict"), ")");
  const std::string parameter = call(global("torch._utils", "_rebuild_parameter"), tuple({kWhole0, "\x88", hooks}));
  const std::string untyped = storage("torch.storage", "UntypedStorage", "1", 16);
  const std::string e4m3 =
      call(global("torch._utils", "_rebuild_tensor_v3"),
           tuple({untyped, number(0), shape({16}), shape({1}), "\x89", hooks, global("torch", "float8_e4m3fn")}));
  EXPECT_EQ(torch_listing(dictionary({{text("p"), parameter}, {text("q"), e4m3}})),
            "p float32 fp32 [2,3] 0+24\nq float8_e4m3fn fp8-e4m3 [16] 1000+16\n");
  const std::string arguments = tuple({kFloats, number(0), shape({6}), shape({1}), "\x89", hooks});
  const std::string subclass = call(
      global("torch._tensor", "_rebuild_from_type_v2"),
      tuple({global("torch._utils", "_rebuild_tensor_v2"), global("torch.nn.parameter", "Parameter"), arguments, "}"}));
  EXPECT_EQ(torch_listing(dictionary({{text("p"), subclass}, {text("q"), e4m3}})),
            "p float32 fp32 [6] 0+24\nq float8_e4m3fn fp8-e4m3 [16] 1000+16\n");
}

TEST(PytorchReader, StoragesKeepTheirTypesWhateverUsesThem) {
  using namespace pickle;
  const std::string quantized = call(global("torch._utils", "_rebuild_qtensor"), tuple({kFloats, number(0)}));
  EXPECT_EQ(torch_listing(dictionary({{text("q"), quantized}, {text("s"), kHalves}})),
            "data/0 float32 fp32 [6] 0+24\ndata/1 float16 fp16 [8] 1000+16\n");
  // An opcode that nobody knows ends the reading; what came before it counts for the storages.
  EXPECT_EQ(torch_listing(dictionary({{text("w"), kWhole0}}) + "\xfe"),
            "data/0 float32 fp32 [6] 0+24\ndata/1 bytes bytes [16] 1000+16\n");
}

TEST(PytorchReader, BigEndianNumbersAreBytes) {
  ZipBuilder zip;
  zip.member("a/data.pkl", pickle::whole(pickle::dictionary({{pickle::text("w"), kWhole0}})));
  zip.member("a/byteorder", text_bytes("big")).member("a/data/0", FileBytes(24));
  const std::optional<ModelMap> map = map_of(zip.file());
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(listing(*map), "w float32 bytes [2,3] " + std::to_string(zip.last_data()) + "+24\n");
}

TEST(PytorchReader, TensorsThatDoNotLieInTheirStorage) {
  using namespace pickle;
  const std::string rest = "data/0 float32 fp32 [6] 0+24\ndata/1 bytes bytes [16] 1000+16\n";
  for (const std::string& value :
       {tensor(kFloats, 1, {2, 3}, {3, 1}), tensor(kFloats, 0x7FFFFFFF, {1}, {1}), tensor(kFloats, 0, {7}, {1}),
        tensor(kFloats, 0xFFFFFFFF, {1}, {1}), tensor(kFloats, 0, {2, 3}, {3}),
        tensor(kFloats, 0, {0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF}, {1, 1, 1})}) {
    EXPECT_EQ(torch_listing(dictionary({{text("w"), value}})), rest);
  }
  EXPECT_EQ(torch_listing(dictionary({{text("w"), tensor(storage("torch", "FloatStorage", "9", 6), 0, {1}, {1})}})),
            "data/0 bytes bytes [24] 0+24\ndata/1 bytes bytes [16] 1000+16\n");
}

TEST(PytorchReader, CirclesAndManyWays) {
  using namespace pickle;
  // A list that contains itself, and a tower of pairs with 2^60 ways to its foot.
  EXPECT_EQ(torch_listing("]q\x01h\x01" + std::string("a") + kWhole0 + "a" + kWhole1 + "a"),
            "1 float32 fp32 [2,3] 0+24\n2 float16 fp16 [8] 1000+16\n");
  std::string tower = tuple({kWhole0, kWhole1});
  std::string expected;
  for (int i = 0; i < 60; ++i) tower += "2\x86", expected += "0.";
  EXPECT_EQ(torch_listing(tower), expected + "0 float32 fp32 [2,3] 0+24\n" + expected + "1 float16 fp16 [8] 1000+16\n");
}

TEST(PytorchReader, LongKeysDoNotAddUp) {
  using namespace pickle;
  // 60000 names that all begin with the same 60000 bytes would take gigabytes.
  std::string items;
  for (uint32_t i = 0; i < 60000; ++i) items += number(i) + "h\x01";
  const std::string value = kWhole0 + "q\x01" + "0" + dictionary({{text(std::string(60000, 'k')), "}(" + items + "u"}});
  const TorchFile file(value);
  const std::optional<ModelMap> map = map_of(file.bytes);
  ASSERT_TRUE(map.has_value());
  uint64_t bytes = 0;
  for (const TensorEntry& tensor : map->tensors) bytes += tensor.name.size();
  EXPECT_LE(bytes, kMaxHeaderBytes);
  EXPECT_GT(map->tensors.size(), 1000u);
}

TEST(PytorchReader, AnArchiveWithoutStoragesIsNone) {
  EXPECT_FALSE(map_of(ZipBuilder().member("a/data.pkl", pickle::whole("}")).file()).has_value());
  EXPECT_FALSE(map_of(ZipBuilder().member("a/data/0", FileBytes(4)).file()).has_value());
}

}  // namespace
}  // namespace glyd

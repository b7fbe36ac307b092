#include "tests/model/model_fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace glyd::testing {
namespace {

std::string type_name(ElementType type) {
  return std::string(find_element_type(static_cast<uint64_t>(type))->name);
}

std::string place(uint64_t offset, uint64_t size) {
  return std::to_string(offset) + "+" + std::to_string(size);
}

NamedFile gguf_sample() {
  FileBytes array_of_strings;
  append_le(array_of_strings, uint32_t{8});
  append_le(array_of_strings, uint64_t{2});
  for (const char* text : {"one", "three"}) {
    const FileBytes string = gguf_string(text);
    array_of_strings.insert(array_of_strings.end(), string.begin(), string.end());
  }
  GgufBuilder builder;
  builder.value("general.name", 8, gguf_string("small")).value("tokens", 9, array_of_strings);
  builder.tensor("a", {32, 2}, 2, 0).tensor("b", {5}, 0, 64).tensor("c", {3}, 77, 96);
  return {"gguf", builder.file(110)};
}

NamedFile npz_sample() {
  ZipBuilder zip;
  zip.member("first.npy", npy_file(1, "{'descr': '<f2', 'shape': (3,), }", 6));
  zip.member("second.npy", npy_file(2, "{'descr': '|u1', 'shape': (2, 2), }", 4));
  return {"npz", zip.file("a comment", true)};
}

NamedFile pytorch_sample() {
  using namespace pickle;
  const std::string weights = tensor(storage("torch", "BFloat16Storage", "0", 6), 0, {2, 3}, {3, 1});
  const std::string half = tensor(storage("torch", "LongStorage", "1", 2), 1, {1}, {1});
  ZipBuilder zip;
  zip.member("archive/data.pkl", whole(dictionary({{text("w"), weights}, {text("n"), tuple({half})}})));
  zip.member("archive/data/0", FileBytes(12, 1)).member("archive/data/1", FileBytes(16, 2));
  return {"pytorch", zip.file()};
}

}  // namespace

std::optional<ModelMap> map_of_beginning(const FileBytes& file, size_t present, uint64_t file_size) {
  // A copy of the exact size, so that AddressSanitizer sees a read beyond it.
  const FileBytes beginning(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(present));
  MemorySource source(beginning);
  const Result<std::optional<ModelMap>> map = read_model_map(source, file_size);
  EXPECT_TRUE(map.ok()) << map.status().text();
  return map.ok() ? *map : std::nullopt;
}

std::optional<ModelMap> map_of(const FileBytes& file) {
  return map_of_beginning(file, file.size(), file.size());
}

std::string listing(const ModelMap& map) {
  std::string text;
  for (const TensorEntry& tensor : map.tensors) {
    text += tensor.name + " " + tensor.dtype + " " + type_name(tensor.type) + " [";
    for (size_t i = 0; i < tensor.shape.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(tensor.shape[i]);
    text += "] " + place(tensor.offset, tensor.size) + "\n";
  }
  return text;
}

std::string region_listing(const ModelMap& map) {
  std::string text;
  for (const TypedRegion& region : map.regions()) {
    text += type_name(region.type) + " " + place(region.offset, region.size) + "\n";
  }
  return text;
}

std::vector<NamedFile> small_model_files() {
  const std::string json = R"({"__metadata__":{"k":"v"},"b":{"dtype":"F16","shape":[2,3],"data_offsets":[8,20]},)"
                           R"("a":{"dtype":"I64","shape":[],"data_offsets":[0,8]}})";
  return {{"safetensors", safetensors_file(json, 20)},
          gguf_sample(),
          {"npy", npy_file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 1), }\n", 16)},
          npz_sample(),
          pytorch_sample()};
}

std::string broken_rule(const ModelMap& map, uint64_t file_size) {
  std::set<std::string> names;
  uint64_t last_offset = 0;
  for (const TensorEntry& tensor : map.tensors) {
    if (!names.insert(tensor.name).second) return "a name is there twice: " + tensor.name;
    if (tensor.offset < last_offset) return "tensors out of order";
    if (tensor.offset > file_size || tensor.size > file_size - tensor.offset) return "a tensor beyond the file";
    if (map.find(tensor.name) != &tensor) return "find() finds another";
    last_offset = tensor.offset;
  }
  uint64_t end = 0;
  for (const TypedRegion& region : map.regions()) {
    if (region.size == 0) return "an empty region";
    if (region.offset < end) return "regions overlap";
    if (region.offset > file_size || region.size > file_size - region.offset) return "a region beyond the file";
    end = region.offset + region.size;
  }
  return "";
}

}  // namespace glyd::testing

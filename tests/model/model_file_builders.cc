#include "tests/model/model_file_builders.h"

#include <algorithm>
#include <numeric>

#include "codec/base/bytes.h"

namespace glyd::testing {
namespace {

void append(FileBytes& out, const FileBytes& more) {
  out.insert(out.end(), more.begin(), more.end());
}
void append(FileBytes& out, std::string_view text) {
  out.insert(out.end(), text.begin(), text.end());
}

void append_counting(FileBytes& out, size_t size) {
  for (size_t i = 0; i < size; ++i) out.push_back(static_cast<uint8_t>(i));
}

constexpr uint32_t kIn64 = 0xFFFFFFFF;

}  // namespace

FileBytes text_bytes(std::string_view text) {
  return {text.begin(), text.end()};
}

FileBytes safetensors_file(std::string_view json, size_t data_size) {
  FileBytes file;
  append_le(file, uint64_t{json.size()});
  append(file, json);
  append_counting(file, data_size);
  return file;
}

FileBytes gguf_string(std::string_view text) {
  FileBytes bytes;
  append_le(bytes, uint64_t{text.size()});
  append(bytes, text);
  return bytes;
}

GgufBuilder& GgufBuilder::value(std::string_view key, uint32_t type, const FileBytes& bytes) {
  append(metadata_, gguf_string(key));
  append_le(metadata_, type);
  append(metadata_, bytes);
  ++values_;
  return *this;
}

GgufBuilder& GgufBuilder::tensor(std::string_view name, const std::vector<uint64_t>& shape, uint32_t type,
                                 uint64_t offset) {
  append(infos_, gguf_string(name));
  append_le(infos_, static_cast<uint32_t>(shape.size()));
  for (const uint64_t dimension : shape) append_le(infos_, dimension);
  append_le(infos_, type);
  append_le(infos_, offset);
  ++tensors_;
  return *this;
}

GgufBuilder& GgufBuilder::claim_tensors(uint64_t count) {
  tensors_ = count;
  return *this;
}

FileBytes GgufBuilder::file(size_t data_size, uint64_t alignment) const {
  FileBytes bytes = text_bytes("GGUF");
  append_le(bytes, version_);
  append_le(bytes, tensors_);
  append_le(bytes, values_);
  append(bytes, metadata_);
  append(bytes, infos_);
  while (bytes.size() % alignment != 0) bytes.push_back(0);
  append_counting(bytes, data_size);
  return bytes;
}

FileBytes npy_file(uint8_t version, std::string_view dictionary, size_t data_size) {
  FileBytes file = text_bytes("\x93NUMPY");
  file.push_back(version);
  file.push_back(0);
  if (version == 1) {
    append_le(file, static_cast<uint16_t>(dictionary.size()));
  } else {
    append_le(file, static_cast<uint32_t>(dictionary.size()));
  }
  append(file, dictionary);
  append_counting(file, data_size);
  return file;
}

ZipBuilder& ZipBuilder::member(std::string_view name, const FileBytes& data, const Options& options) {
  const uint64_t offset = bytes_.size();
  const auto size = static_cast<uint32_t>(data.size());
  const auto flags = static_cast<uint16_t>(options.encrypted ? 1 : 0);
  const auto method = static_cast<uint16_t>(options.compressed ? 8 : 0);
  const auto name_size = static_cast<uint16_t>(name.size());
  // Version, flags, method, time, date, check: as both headers have them.
  FileBytes common;
  append_le(common, uint16_t{20});
  append_le(common, flags);
  append_le(common, method);
  append_le(common, uint64_t{0});
  append_le(common, options.zip64 ? kIn64 : size);
  append_le(common, options.zip64 ? kIn64 : size);
  append_le(common, name_size);

  append(bytes_, "PK\x03\x04");
  append(bytes_, common);
  append_le(bytes_, static_cast<uint16_t>(options.padding));
  append(bytes_, name);
  bytes_.resize(bytes_.size() + options.padding);
  last_data_ = bytes_.size();
  append(bytes_, data);

  FileBytes extra;
  if (options.zip64) {
    append_le(extra, uint32_t{0x0000CAFE});  // a field of another kind, without content
    append_le(extra, uint16_t{1});
    append_le(extra, uint16_t{24});
    append_le(extra, uint64_t{size});
    append_le(extra, uint64_t{size});
    append_le(extra, offset);
  }
  append(directory_, "PK\x01\x02");
  append_le(directory_, uint16_t{20});
  append(directory_, common);
  append_le(directory_, static_cast<uint16_t>(extra.size()));
  append_le(directory_, uint16_t{0});  // comment
  append_le(directory_, uint64_t{0});  // disk, attributes
  append_le(directory_, options.zip64 ? kIn64 : static_cast<uint32_t>(offset));
  append(directory_, name);
  append(directory_, extra);
  ++entries_;
  return *this;
}

FileBytes ZipBuilder::file(std::string_view comment, bool zip64_end) const {
  FileBytes bytes = bytes_;
  const uint64_t directory = bytes.size();
  append(bytes, directory_);
  if (zip64_end) {
    const uint64_t end64 = bytes.size();
    append(bytes, "PK\x06\x06");
    append_le(bytes, uint64_t{44});
    append_le(bytes, uint32_t{0x002D002D});
    append_le(bytes, uint64_t{0});
    append_le(bytes, uint64_t{entries_});
    append_le(bytes, uint64_t{entries_});
    append_le(bytes, uint64_t{directory_.size()});
    append_le(bytes, directory);
    append(bytes, "PK\x06\x07");
    append_le(bytes, uint32_t{0});
    append_le(bytes, end64);
    append_le(bytes, uint32_t{1});
  }
  append(bytes, "PK\x05\x06");
  append_le(bytes, uint32_t{0});
  append_le(bytes, zip64_end ? uint16_t{0xFFFF} : entries_);
  append_le(bytes, zip64_end ? uint16_t{0xFFFF} : entries_);
  append_le(bytes, zip64_end ? kIn64 : static_cast<uint32_t>(directory_.size()));
  append_le(bytes, zip64_end ? kIn64 : static_cast<uint32_t>(directory));
  append_le(bytes, static_cast<uint16_t>(comment.size()));
  append(bytes, comment);
  return bytes;
}

namespace pickle {
namespace {

std::string little_endian(uint32_t value) {
  FileBytes bytes;
  append_le(bytes, value);
  return {bytes.begin(), bytes.end()};
}

std::string join(const std::vector<std::string>& values) {
  return std::accumulate(values.begin(), values.end(), std::string());
}

}  // namespace

std::string text(std::string_view value) {
  return "X" + little_endian(static_cast<uint32_t>(value.size())) + std::string(value);
}
std::string number(uint32_t value) {
  return "J" + little_endian(value);
}
std::string global(std::string_view module, std::string_view name) {
  return "c" + std::string(module) + "\n" + std::string(name) + "\n";
}
std::string tuple(const std::vector<std::string>& values) {
  return "(" + join(values) + "t";
}
std::string dictionary(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string result = "}(";
  for (const auto& [key, value] : items) result += key + value;
  return result + "u";
}
std::string call(const std::string& callable, const std::string& arguments) {
  return callable + arguments + "R";
}
std::string storage(std::string_view module, std::string_view type, std::string_view key, uint32_t elements) {
  return tuple({text("storage"), global(module, type), text(key), text("cpu"), number(elements)}) + "Q";
}
std::string shape(const std::vector<uint32_t>& numbers) {
  std::vector<std::string> values;
  for (const uint32_t value : numbers) values.push_back(number(value));
  return tuple(values);
}
std::string tensor(const std::string& storage_value, uint32_t offset, const std::vector<uint32_t>& dimensions,
                   const std::vector<uint32_t>& strides) {
  const std::string hooks = call(global("collections", "OrderedDict"), ")");
  return call(global("torch._utils", "_rebuild_tensor_v2"),
              tuple({storage_value, number(offset), shape(dimensions), shape(strides), "\x89", hooks}));
}
FileBytes whole(const std::string& value) {
  return text_bytes("\x80\x02" + value + ".");
}

}  // namespace pickle
}  // namespace glyd::testing

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Small model files, put together byte by byte.
namespace glyd::testing {

using FileBytes = std::vector<uint8_t>;

FileBytes text_bytes(std::string_view text);
// The length of `json`, `json`, and `data_size` bytes that count up.
FileBytes safetensors_file(std::string_view json, size_t data_size);

class GgufBuilder {
 public:
  explicit GgufBuilder(uint32_t version = 3) : version_(version) {}
  // Metadata: the value's bytes follow its type as they are given.
  GgufBuilder& value(std::string_view key, uint32_t type, const FileBytes& bytes);
  GgufBuilder& tensor(std::string_view name, const std::vector<uint64_t>& shape, uint32_t type, uint64_t offset);
  // Pads to `alignment` and adds `data_size` bytes.
  FileBytes file(size_t data_size, uint64_t alignment = 32) const;
  // Instead of the number of tensors added.
  GgufBuilder& claim_tensors(uint64_t count);

 private:
  uint32_t version_;
  uint64_t values_ = 0;
  uint64_t tensors_ = 0;
  FileBytes metadata_;
  FileBytes infos_;
};

// A string as GGUF has it: 64 bits of length, then the text.
FileBytes gguf_string(std::string_view text);

FileBytes npy_file(uint8_t version, std::string_view dictionary, size_t data_size);

class ZipBuilder {
 public:
  struct Options {
    bool compressed = false;  // only the directory says so
    bool encrypted = false;
    bool zip64 = false;  // sizes and offset in the extra field
    size_t padding = 0;  // of the member's own header, so that its data is aligned
  };
  ZipBuilder& member(std::string_view name, const FileBytes& data, const Options& options);
  ZipBuilder& member(std::string_view name, const FileBytes& data) { return member(name, data, Options()); }
  FileBytes file(std::string_view comment = "", bool zip64_end = false) const;
  // Where the data of the last member begins.
  uint64_t last_data() const { return last_data_; }

 private:
  FileBytes bytes_;
  FileBytes directory_;
  uint16_t entries_ = 0;
  uint64_t last_data_ = 0;
};

// Pickles as torch.save() writes them, in pieces that are joined by adding strings.
namespace pickle {
std::string text(std::string_view value);
std::string number(uint32_t value);
std::string global(std::string_view module, std::string_view name);
std::string tuple(const std::vector<std::string>& values);
std::string dictionary(const std::vector<std::pair<std::string, std::string>>& items);
std::string call(const std::string& callable, const std::string& arguments);
std::string storage(std::string_view module, std::string_view type, std::string_view key, uint32_t elements);
std::string shape(const std::vector<uint32_t>& numbers);
// _rebuild_tensor_v2 of such a storage.
std::string tensor(const std::string& storage, uint32_t offset, const std::vector<uint32_t>& shape,
                   const std::vector<uint32_t>& strides);
// The pickle of one value.
FileBytes whole(const std::string& value);
}  // namespace pickle

}  // namespace glyd::testing

#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "codec/stream/foreign_format.h"

// What the tests of foreign formats share: the files of tests/stream/data, and reading them in all ways.
namespace glyd {

using ByteVector = std::vector<uint8_t>;

inline ByteVector foreign_file(const std::string& name) {
  std::ifstream file(std::string(GLYD_STREAM_TEST_DATA) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline ByteVector bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

// The content of the files named "numbers" and "lines"; data/README.md says how the files were made.
inline ByteVector numbers_content() {
  std::string text;
  for (int number = 1; number <= 60; ++number) text += std::to_string(number) + "\n";
  return bytes_of(text);
}

inline ByteVector lines_content() {
  const std::string line = "A line that comes again and again.\n";
  std::string text;
  while (text.size() < 2000000) text += line;
  text.resize(2000000);
  return bytes_of(text);
}

inline ByteVector joined(std::initializer_list<ByteVector> parts) {
  ByteVector whole;
  for (const ByteVector& part : parts) whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}

// Gives at most `most` bytes a read, as a pipe may; after the last one `end` when that is an error.
class TricklingSource : public ByteSource {
 public:
  TricklingSource(Bytes bytes, size_t most, Status end = {}) : bytes_(bytes), most_(most), end_(end) {}
  Result<size_t> read(MutableBytes destination) override {
    const size_t size = std::min({destination.size(), most_, bytes_.size()});
    if (size == 0 && !end_.ok()) return end_;
    std::copy_n(bytes_.begin(), size, destination.begin());
    bytes_ = bytes_.subspan(size);
    return size;
  }

 private:
  Bytes bytes_;
  size_t most_;
  Status end_;
};

struct Decoded {
  Status status;
  ByteVector content;
};

// Reads `source` to its end or first error.
inline Decoded read_all(ByteSource& source, size_t destination_size) {
  Decoded decoded;
  ByteVector destination(destination_size);
  while (true) {
    const Result<size_t> got = source.read(destination);
    if (!got.ok()) decoded.status = got.status();
    if (!got.ok() || *got == 0) return decoded;
    decoded.content.insert(decoded.content.end(), destination.begin(),
                           destination.begin() + static_cast<std::ptrdiff_t>(*got));
  }
}

inline constexpr Limits kForeignTestLimits{uint64_t{64} << 20, uint64_t{16} << 20};

inline Decoded decode_foreign(ForeignFormat format, const ByteVector& file, const Limits& limits = kForeignTestLimits) {
  MemorySource compressed(file);
  return read_all(*open_foreign(format, compressed, limits), 4096);
}

}  // namespace glyd

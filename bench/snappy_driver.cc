// A file compressor around libsnappy, which brings no program of its own, so that bench/compare can run snappy
// beside the others.
//
//     snappy_driver [-d] INPUT OUTPUT
//
// A file is a row of pieces: the size of the compressed piece as 32 bits, little-endian, then the piece in snappy's
// block format, each from at most 1 MiB of content. There are no checksums; the format serves measurements only.
#include <snappy.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr size_t kPieceSize = size_t{1} << 20;
constexpr size_t kSizeBytes = 4;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

int fail(const char* what, const std::string& name) {
  std::fprintf(stderr, "snappy_driver: %s: %s\n", name.c_str(), what);
  return 1;
}

bool write_all(std::FILE* file, const char* data, size_t size) {
  return std::fwrite(data, 1, size, file) == size;
}

bool compress(std::FILE* input, std::FILE* output) {
  std::vector<char> content(kPieceSize);
  std::vector<char> packed(kSizeBytes + snappy::MaxCompressedLength(kPieceSize));
  while (true) {
    const size_t size = std::fread(content.data(), 1, content.size(), input);
    if (size == 0) return std::ferror(input) == 0;
    size_t packed_size = 0;
    snappy::RawCompress(content.data(), size, packed.data() + kSizeBytes, &packed_size);
    const uint32_t header = static_cast<uint32_t>(packed_size);
    std::memcpy(packed.data(), &header, kSizeBytes);
    if (!write_all(output, packed.data(), kSizeBytes + packed_size)) return false;
  }
}

bool decompress(std::FILE* input, std::FILE* output) {
  std::vector<char> content(kPieceSize);
  std::vector<char> packed(snappy::MaxCompressedLength(kPieceSize));
  uint32_t packed_size = 0;
  while (std::fread(&packed_size, kSizeBytes, 1, input) == 1) {
    if (packed_size > packed.size() || std::fread(packed.data(), 1, packed_size, input) != packed_size) return false;
    size_t size = 0;
    if (!snappy::GetUncompressedLength(packed.data(), packed_size, &size) || size > content.size()) return false;
    if (!snappy::RawUncompress(packed.data(), packed_size, content.data())) return false;
    if (!write_all(output, content.data(), size)) return false;
  }
  return std::ferror(input) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool decode = argc == 4 && std::string(argv[1]) == "-d";
  if (argc != 3 && !decode) {
    std::fprintf(stderr, "usage: snappy_driver [-d] INPUT OUTPUT\n");
    return 2;
  }
  const std::string input_name = argv[argc - 2];
  const std::string output_name = argv[argc - 1];
  const File input(std::fopen(input_name.c_str(), "rb"));
  if (input == nullptr) return fail("cannot open it", input_name);
  File output(std::fopen(output_name.c_str(), "wb"));
  if (output == nullptr) return fail("cannot create it", output_name);
  // The pieces are large; stdio's own copy of them would only cost time.
  std::setvbuf(output.get(), nullptr, _IONBF, 0);
  const bool done = decode ? decompress(input.get(), output.get()) : compress(input.get(), output.get());
  if (!done) return fail(decode ? "damaged, or the output cannot be written" : "cannot be read or written", input_name);
  if (std::fclose(output.release()) != 0) return fail("cannot be written", output_name);
  return 0;
}

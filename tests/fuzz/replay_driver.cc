#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

// Runs a fuzz target without libFuzzer: over every file of the folders named, over every prefix of it, and over it
// with every single bit flipped (of the first kilobytes). A crash, a hang or a sanitizer's report is the failure.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr size_t kMutatedSize = 4096;

// A copy on the heap of the exact size, so that AddressSanitizer sees the first byte read beyond it.
void run(const std::vector<uint8_t>& bytes) {
  const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void run_with_changes(const std::vector<uint8_t>& seed) {
  run(seed);
  const size_t size = std::min(seed.size(), kMutatedSize);
  for (size_t prefix = 0; prefix < size; ++prefix) {
    run({seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(prefix)});
  }
  std::vector<uint8_t> changed = seed;
  for (size_t bit = 0; bit < size * 8; ++bit) {
    changed[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    run(changed);
    changed[bit / 8] = seed[bit / 8];
  }
}

}  // namespace

int main(int argc, char** argv) {
  size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      run_with_changes({std::istreambuf_iterator<char>(file), {}});
      ++files;
    }
  }
  std::printf("%zu seeds replayed\n", files);
  return files > 0 ? 0 : 1;
}

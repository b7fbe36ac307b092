#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/adversarial_inputs.h"
#include "tests/frame/coder_testing.h"

// Files of format version 1, written when it was made (2026-12). Every later program must read them. Nothing
// is ever removed from this list.
namespace glyd::testing {
namespace {

ByteVector joined(std::initializer_list<ByteVector> parts) {
  ByteVector all;
  for (const ByteVector& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::map<std::string, ByteVector> golden_contents() {
  const ByteVector text = log_text(300, 7);
  const ByteVector noise = random_bytes(60, 1);
  const ByteVector zeros(400);
  ByteVector runs(500, 1);
  std::copy(text.begin(), text.begin() + 100, runs.begin() + 200);
  const ByteVector mixed = joined({noise, zeros, noise});
  return {{"zstd", text},
          {"lz4", text},
          {"stored", noise},
          {"run_length", zeros},
          {"run_length_zstd", runs},
          {"empty", {}},
          {"blocks", mixed},
          {"blocks_unknown_size", mixed},
          {"two_frames_skippable", joined({text, noise})}};
}

TEST(Golden, EveryFileOfVersion1IsRead) {
  size_t files = 0;
  for (const auto& [name, content] : golden_contents()) {
    const std::filesystem::path path = std::filesystem::path(GLYD_GOLDEN_FOLDER) / (name + ".glyd");
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << path;
    const ByteVector bytes(std::istreambuf_iterator<char>(file), {});
    ByteVector back;
    const Status status = decode(bytes, back);
    EXPECT_TRUE(status.ok()) << name << ": " << status.text();
    EXPECT_EQ(back, content) << name;
    ++files;
  }
  const auto listed = std::distance(std::filesystem::directory_iterator(GLYD_GOLDEN_FOLDER), {});
  EXPECT_EQ(static_cast<size_t>(listed), files) << "a golden file is not in the list above";
}

}  // namespace
}  // namespace glyd::testing

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/adversarial_inputs.h"
#include "tests/model/model_fixtures.h"

// Whatever is done to a model file, reading its map ends, without a read beyond its bytes, and with a map that keeps
// the rules of its header or with none.
namespace glyd {
namespace {

std::vector<testing::NamedFile> all_files() {
  std::vector<testing::NamedFile> files = testing::small_model_files();
  for (const auto& entry : std::filesystem::directory_iterator(GLYD_MODEL_TEST_DATA)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files.push_back({entry.path().filename(), {std::istreambuf_iterator<char>(file), {}}});
  }
  return files;
}

std::string broken_rule_of(const testing::FileBytes& bytes, uint64_t file_size) {
  const std::optional<ModelMap> map = testing::map_of_beginning(bytes, bytes.size(), file_size);
  return map ? testing::broken_rule(*map, file_size) : "";
}

TEST(DamagedModelFiles, EveryBeginning) {
  for (const testing::NamedFile& file : all_files()) {
    for (size_t present = 0; present <= file.bytes.size(); ++present) {
      for (const uint64_t size : {uint64_t{present}, uint64_t{file.bytes.size()}, kUnknownSize}) {
        const std::optional<ModelMap> map = testing::map_of_beginning(file.bytes, present, size);
        EXPECT_EQ(map ? testing::broken_rule(*map, size) : "", "") << file.name << " " << present;
      }
    }
  }
}

TEST(DamagedModelFiles, EveryByteChanged) {
  for (const testing::NamedFile& file : all_files()) {
    testing::FileBytes changed = file.bytes;
    for (size_t at = 0; at < changed.size(); ++at) {
      const uint8_t original = changed[at];
      for (const int change : {0x01, 0xFF}) {
        changed[at] = static_cast<uint8_t>(original ^ change);
        EXPECT_EQ(broken_rule_of(changed, changed.size()), "") << file.name << " " << at;
      }
      changed[at] = original;
    }
  }
}

TEST(DamagedModelFiles, SeveralBytesChanged) {
  testing::Random random(7);
  for (const testing::NamedFile& file : all_files()) {
    for (int round = 0; round < 2000; ++round) {
      testing::FileBytes changed = file.bytes;
      for (uint64_t i = 1 + random.below(8); i > 0; --i) {
        changed[random.below(changed.size())] = static_cast<uint8_t>(random.below(2) == 0 ? 0xFF : random.next());
      }
      EXPECT_EQ(broken_rule_of(changed, changed.size()), "") << file.name;
    }
  }
}

}  // namespace
}  // namespace glyd

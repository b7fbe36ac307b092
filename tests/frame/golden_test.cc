#include <bit>
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

// A safetensors header, 40 strings with their lengths, 1,500 bf16 and 300 fp32 numbers, at 0, 197, 957 and 3,957.
ByteVector typed_content() {
  const std::string_view header = R"({"first":{"dtype":"BF16","shape":[30,50],"data_offsets":[0,3000]},)"
                                  R"("second":{"dtype":"F32","shape":[100],"data_offsets":[3000,3400]},)"
                                  R"("third":{"dtype":"F32","shape":[200],"data_offsets":[3400,4200]}})";
  ByteVector content(header.begin(), header.end());
  const ByteVector text = log_text(415, 3);
  for (size_t i = 0; i < 40; ++i) {
    const size_t size = i % 20 + 1 + i / 20;
    append_le(content, uint64_t{size});
    content.insert(content.end(), text.begin() + static_cast<ptrdiff_t>(5 * i),
                   text.begin() + static_cast<ptrdiff_t>(5 * i + size));
  }
  Random random(5);
  const auto number = [&] {
    const unsigned exponent = 120 - static_cast<unsigned>(std::countr_zero(random.next() | 1 << 12));
    return static_cast<uint16_t>((random.next() & 0x807F) | exponent << 7);
  };
  for (size_t i = 0; i < 1500; ++i) append_le(content, number());
  for (size_t i = 0; i < 300; ++i) {
    append_le(content, static_cast<uint16_t>(random.next()));
    append_le(content, number());
  }
  return content;
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
          {"two_frames_skippable", joined({text, noise})},
          {"tensor", typed_content()},
          {"tensor_fast", typed_content()}};
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

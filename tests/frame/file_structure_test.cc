#include "tests/adversarial_inputs.h"
#include "tests/frame/coder_testing.h"

namespace glyd::testing {
namespace {

ByteVector skippable(size_t size, uint8_t kind) {
  ByteVector frame = {static_cast<uint8_t>(0x50 + kind), 0x2A, 0x4D, 0x18};
  append_le(frame, static_cast<uint32_t>(size));
  frame.resize(frame.size() + size, 0xD7);
  return frame;
}

void append(ByteVector& to, const ByteVector& more) {
  to.insert(to.end(), more.begin(), more.end());
}

TEST(FileStructure, ConcatenatedFramesDecodeToTheConcatenation) {
  ByteVector file;
  ByteVector expected;
  std::vector<ByteVector> parts;
  for (const NamedInput& input : adversarial_inputs()) {
    append(file, compressed(input.bytes, at_level(static_cast<int>(parts.size() % 19))));
    append(expected, input.bytes);
    parts.push_back(input.bytes);
  }
  ByteVector content;
  const Status status = decode(file, content);
  ASSERT_TRUE(status.ok()) << status.text();
  EXPECT_EQ(content, expected);
  MemorySource source{Bytes(file)};
  const Result<FileInfo> info = inspect(source, true);
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->frames.size(), parts.size());
  EXPECT_EQ(info->content_size, expected.size());
}

TEST(FileStructure, SkippableFramesAreSkippedAnywhere) {
  const ByteVector a = log_text(3000, 1);
  const ByteVector b = random_bytes(100, 2);
  ByteVector file = skippable(0, 0);
  append(file, skippable(1000, 15));
  append(file, compressed(a));
  append(file, skippable(70000, 7));
  append(file, compressed(b));
  append(file, skippable(3, 1));
  ByteVector expected = a;
  append(expected, b);
  for (const size_t piece : {size_t{1}, size_t{100}, size_t{1} << 20}) {
    ByteVector content;
    const Status status = decode(file, content, {}, piece);
    ASSERT_TRUE(status.ok()) << status.text();
    EXPECT_EQ(content, expected);
  }
  MemorySource source{Bytes(file)};
  const Result<FileInfo> info = inspect(source);
  ASSERT_TRUE(info.ok()) << info.status().text();
  EXPECT_EQ(info->frames.size(), 2u);
  EXPECT_EQ(info->skippable_frames, 4u);
  auto reader = RangeReader::open(source, {});
  ASSERT_TRUE(reader.ok());
  ByteVector back(expected.size());
  ASSERT_TRUE((*reader)->read(0, back).ok());
  EXPECT_EQ(back, expected);
}

TEST(FileStructure, SkippableFramesAloneAreNoGlydFile) {
  const ByteVector file = skippable(10, 3);
  ByteVector content;
  EXPECT_EQ(decode(file, content).code(), Code::kNotGlyd);
  MemorySource source{Bytes(file)};
  EXPECT_EQ(inspect(source).status().code(), Code::kNotGlyd);
}

TEST(FileStructure, ATruncatedSkippableFrameIsAnError) {
  ByteVector file = compressed(log_text(100, 1));
  const size_t frame_size = file.size();
  append(file, skippable(20, 0));
  for (size_t size = frame_size + 1; size < file.size(); ++size) {
    ByteVector content;
    EXPECT_EQ(decode(Bytes(file).first(size), content).code(),
              size < frame_size + 4 ? Code::kTrailingData : Code::kTruncated)
        << size;
  }
}

TEST(FileStructure, InspectShowsPlansByName) {
  const ByteVector frame = compressed(log_text(5000, 1));
  MemorySource source{Bytes(frame)};
  const Result<FileInfo> info = inspect(source, true);
  ASSERT_TRUE(info.ok());
  const FrameInfo& found = info->frames.at(0);
  ASSERT_EQ(found.plans.size(), 2u);  // a lone block lists its own plan only
  ASSERT_EQ(found.plans[1].size(), 1u);
  EXPECT_STREQ(transform_name(found.plans[1][0]), "zstd");
  EXPECT_EQ(found.blocks.at(0).plan, 1u);
  EXPECT_EQ(found.blocks.at(0).content_size, 5000u);
  EXPECT_EQ(transform_name(9999), nullptr);
}

}  // namespace
}  // namespace glyd::testing

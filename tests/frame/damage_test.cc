#include "codec/frame/frame_layout.h"
#include "tests/adversarial_inputs.h"
#include "tests/frame/coder_testing.h"

// Every truncation and every flipped bit: an error or the right content, never a wrong byte.
namespace glyd::testing {
namespace {

struct Archive {
  std::string name;
  ByteVector content;
  ByteVector frame;
};

std::vector<Archive> archives() {
  std::vector<Archive> result;
  const ByteVector text = log_text(1500, 7);
  for (int level = -7; level <= kMaxLevel; ++level) {
    result.push_back({"level " + std::to_string(level), text, compressed(text, at_level(level))});
  }
  result.push_back({"lz4", text, compressed(text, at_level(kLevelLz4))});
  const ByteVector noise = random_bytes(500, 1);
  result.push_back({"stored", noise, compressed(noise)});
  const ByteVector zeros(5000);
  result.push_back({"run-length", zeros, compressed(zeros)});
  ByteVector runs(6000, 1);
  std::copy(text.begin(), text.begin() + 600, runs.begin() + 2000);
  result.push_back({"run-length and zstd", runs, compressed(runs)});
  result.push_back({"empty", {}, compressed({})});
  ByteVector mixed = noise;
  mixed.insert(mixed.end(), zeros.begin(), zeros.end());
  mixed.insert(mixed.end(), text.begin(), text.end());
  result.push_back({"many blocks", mixed, small_block_frame(mixed, 400)});
  result.push_back({"many blocks, size unknown", mixed, small_block_frame(mixed, 300, false)});
  Archive two{"two frames", text, result[0].frame};
  two.content.insert(two.content.end(), noise.begin(), noise.end());
  const ByteVector second = compressed(noise);
  two.frame.insert(two.frame.end(), second.begin(), second.end());
  result.push_back(two);
  return result;
}

TEST(Damage, EveryTruncationIsAnError) {
  for (const Archive& archive : archives()) {
    for (size_t size = 0; size < archive.frame.size(); ++size) {
      ByteVector content;
      const Status status = decode(Bytes(archive.frame).first(size), content);
      const bool between_frames =
          archive.name == "two frames" && size == compressed(log_text(1500, 7), at_level(-7)).size();
      EXPECT_EQ(status.ok(), between_frames) << archive.name << " cut to " << size;
      EXPECT_TRUE(is_prefix(content, archive.content)) << archive.name << " cut to " << size;
      if (size > 0 && !status.ok()) {
        EXPECT_EQ(status.code(), Code::kTruncated) << archive.name << " cut to " << size << ": " << status.text();
        EXPECT_EQ(status.offset(), size) << archive.name;
      }
      MemorySource file{Bytes(archive.frame).first(size)};
      EXPECT_EQ(inspect(file).ok(), between_frames) << archive.name << " cut to " << size;
    }
  }
}

TEST(Damage, EveryFlippedBitIsAnErrorOrHarmless) {
  for (const Archive& archive : archives()) {
    for (size_t bit = 0; bit < archive.frame.size() * 8; ++bit) {
      ByteVector damaged = archive.frame;
      damaged[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
      ByteVector content;
      const Status status = decode(damaged, content);
      EXPECT_TRUE(is_prefix(content, archive.content)) << archive.name << ", bit " << bit;
      if (status.ok()) {
        EXPECT_EQ(content, archive.content) << archive.name << ", bit " << bit;
      } else {
        EXPECT_GE(static_cast<int>(status.code()), 200) << status.text();
        EXPECT_TRUE(status.has_offset()) << archive.name << ", bit " << bit << ": " << status.text();
        EXPECT_LE(status.offset(), damaged.size());
      }
    }
  }
}

TEST(Damage, TrailingBytesAreAnError) {
  for (const Archive& archive : archives()) {
    for (const ByteVector& tail : {ByteVector{0}, ByteVector{'x', 'y'}, ByteVector(3, 0xD7), ByteVector(50, 0)}) {
      ByteVector longer = archive.frame;
      longer.insert(longer.end(), tail.begin(), tail.end());
      ByteVector content;
      const Status status = decode(longer, content);
      EXPECT_EQ(status.code(), Code::kTrailingData) << archive.name << ": " << status.text();
      EXPECT_EQ(status.offset(), archive.frame.size());
      EXPECT_EQ(content, archive.content);
      MemorySource file{Bytes(longer)};
      EXPECT_EQ(inspect(file).status().code(), Code::kTrailingData) << archive.name;
    }
  }
}

TEST(Damage, BlocksTakenOutDoubledOrSwappedAreNoticed) {
  const ByteVector content = random_bytes(4000, 3);
  const ByteVector frame = small_block_frame(content, 1000);
  MemorySource file{Bytes(frame)};
  const Result<FileInfo> info = inspect(file);
  ASSERT_TRUE(info.ok());
  const auto& blocks = info->frames.at(0).blocks;
  ASSERT_EQ(blocks.size(), 4u);
  const auto part = [&](uint64_t from, uint64_t to) {
    return ByteVector(frame.begin() + static_cast<ptrdiff_t>(from), frame.begin() + static_cast<ptrdiff_t>(to));
  };
  const auto joined = [](std::vector<ByteVector> parts) {
    ByteVector all;
    for (const ByteVector& p : parts) all.insert(all.end(), p.begin(), p.end());
    return all;
  };
  const ByteVector before = part(0, blocks[1].file_offset);
  const ByteVector second = part(blocks[1].file_offset, blocks[2].file_offset);
  const ByteVector third = part(blocks[2].file_offset, blocks[3].file_offset);
  const ByteVector rest = part(blocks[3].file_offset, frame.size());
  for (const ByteVector& changed : {joined({before, third, rest}), joined({before, third, second, rest}),
                                    joined({before, second, second, third, rest})}) {
    ByteVector decoded;
    EXPECT_EQ(decode(changed, decoded).code(), Code::kCorrupt);
    EXPECT_TRUE(is_prefix(decoded, content));
  }
}

TEST(Damage, NoiseIsNotAGlydFile) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    ByteVector content;
    const Status status = decode(random_bytes(Random(seed).below(2000), seed), content);
    EXPECT_EQ(status.code(), Code::kNotGlyd) << status.text();
    EXPECT_TRUE(content.empty());
  }
}

}  // namespace
}  // namespace glyd::testing

#include "tests/adversarial_inputs.h"
#include "tests/frame/coder_testing.h"

namespace glyd::testing {
namespace {

std::vector<EncodeOptions> option_choices() {
  std::vector<EncodeOptions> choices;
  for (const int level : {kLevelLz4, -1000, -7, -1, 0, 1, 2, 3, 4, 6, 9, 10, 13, 16, 19}) {
    for (const unsigned threads : {1u, 3u}) choices.push_back(at_level(level, threads));
  }
  for (const int window_log : {20, 22, 27}) {
    EncodeOptions options = at_level(3);
    options.window_log = window_log;
    choices.push_back(options);
  }
  return choices;
}

TEST(RoundTrip, EveryOptionOnEveryInput) {
  for (const NamedInput& input : adversarial_inputs()) {
    for (const EncodeOptions& options : option_choices()) {
      const ByteVector frame = compressed(input.bytes, options);
      EXPECT_LE(frame.size(), compress_bound(input.bytes.size()));
      ByteVector content;
      const Status status = decode(frame, content);
      EXPECT_TRUE(status.ok()) << input.name << ", level " << options.level << ": " << status.text();
      EXPECT_EQ(content, input.bytes) << input.name << ", level " << options.level;
    }
  }
}

TEST(RoundTrip, InPiecesOfAnySize) {
  const ByteVector content = log_text(50000, 1);
  const ByteVector whole = compressed(content);
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{4096}, size_t{1} << 20}) {
    EncodeOptions options = at_level(3);
    Encoder encoder(options);
    ByteVector frame;
    ASSERT_TRUE(run_in_pieces(encoder, content, piece, frame).ok());
    // One block: its header states the size whether or not the caller did.
    EXPECT_EQ(frame, whole) << piece;
    EXPECT_EQ(encoder.content_bytes(), content.size());
    EXPECT_EQ(encoder.frame_bytes(), frame.size());
    ByteVector back;
    ASSERT_TRUE(decode(frame, back, {}, piece).ok());
    EXPECT_EQ(back, content) << piece;
  }
}

TEST(RoundTrip, AtTheEdgesOfBlocks) {
  constexpr size_t kBlock = size_t{1} << 20;
  const ByteVector content = log_text(3 * kBlock + 1, 2);
  for (const size_t size : {kBlock - 1, kBlock, kBlock + 1, 2 * kBlock, 3 * kBlock + 1}) {
    const Bytes part = Bytes(content).first(size);
    for (const bool known : {false, true}) {
      EncodeOptions options = at_level(1, 2);
      options.window_log = 20;
      if (known) options.content_size = size;
      Encoder encoder(options);
      ByteVector frame;
      ASSERT_TRUE(run_in_pieces(encoder, part, 100000, frame).ok());
      ByteVector back;
      const Status status = decode(frame, back);
      ASSERT_TRUE(status.ok()) << size << ": " << status.text();
      EXPECT_TRUE(std::equal(back.begin(), back.end(), part.begin(), part.end())) << size;
      MemorySource file{Bytes(frame)};
      const Result<FileInfo> info = inspect(file, true);
      ASSERT_TRUE(info.ok());
      EXPECT_EQ(info->content_size, size);
      EXPECT_EQ(info->frames.at(0).blocks.size(), (size + kBlock - 1) / kBlock);
    }
  }
}

TEST(RoundTrip, ABlockThatDoesNotShrinkIsStored) {
  const ByteVector content = random_bytes(300000, 9);
  const ByteVector frame = compressed(content);
  EXPECT_LE(frame.size(), content.size() + 80);
  MemorySource file{Bytes(frame)};
  const Result<FileInfo> info = inspect(file, true);
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->frames.at(0).blocks.at(0).plan, 0u);
}

TEST(RoundTrip, RunsBecomeAFewBytes) {
  const ByteVector zeros(20 << 20);
  EXPECT_LT(compressed(zeros).size(), 200u);
}

TEST(Encoder, NoticesContentOfAnotherSizeThanAnnounced) {
  for (const size_t announced : {size_t{0}, size_t{99}, size_t{101}, size_t{5} << 20}) {
    EncodeOptions options = at_level(3);
    options.content_size = announced;
    Encoder encoder(options);
    ByteVector frame;
    const Status status = run_in_pieces(encoder, log_text(100, 1), 10, frame);
    EXPECT_EQ(status.code(), Code::kSizeMismatch) << announced;
    EXPECT_EQ(encoder.status().code(), Code::kSizeMismatch);
    EXPECT_TRUE(encoder.input().empty());
  }
}

TEST(Encoder, RefusesOptionsOutOfRange) {
  for (const int level : {20, -1001, -2001, 1000}) {
    EXPECT_EQ(validate(at_level(level)).code(), Code::kInvalidArgument) << level;
    EXPECT_EQ(compress({}, at_level(level)).status().code(), Code::kInvalidArgument) << level;
  }
}

TEST(Encoder, HigherLevelsAreNotLarger) {
  const ByteVector content = log_text(2 << 20, 12);
  size_t before = compressed(content, at_level(kLevelLz4)).size();
  for (const int level : {1, 3, 6, 12, 19}) {
    const size_t size = compressed(content, at_level(level)).size();
    EXPECT_LE(size, before) << level;
    before = size;
  }
}

}  // namespace
}  // namespace glyd::testing

#include "tests/adversarial_inputs.h"
#include "tests/frame/coder_testing.h"

namespace glyd::testing {
namespace {

ByteVector mixed_content() {
  ByteVector content = log_text(5 << 20, 1);
  const ByteVector noise = random_bytes(2 << 20, 2);
  content.insert(content.end(), noise.begin(), noise.end());
  content.resize(content.size() + (2 << 20));
  const ByteVector more = log_text((1 << 20) + 77, 3);
  content.insert(content.end(), more.begin(), more.end());
  return content;
}

TEST(CoderThreads, TheSameBytesForEveryNumberOfThreads) {
  const ByteVector content = mixed_content();
  ByteVector expected;
  for (const unsigned threads : {1u, 2u, 3u, 8u, 0u}) {
    EncodeOptions options = at_level(1, threads);
    options.window_log = 20;
    const ByteVector frame = compressed(content, options);
    if (expected.empty()) expected = frame;
    EXPECT_EQ(frame, expected) << threads;
    DecodeOptions decode_options;
    decode_options.threads = threads;
    for (const size_t piece : {size_t{1000}, size_t{1} << 20}) {
      ByteVector back;
      const Status status = decode(frame, back, decode_options, piece);
      EXPECT_TRUE(status.ok()) << status.text();
      EXPECT_EQ(back, content) << threads;
    }
  }
}

TEST(CoderThreads, HowTheInputIsCutDoesNotMatter) {
  const ByteVector content = mixed_content();
  ByteVector expected;
  for (const size_t piece : {size_t{10007}, size_t{1} << 20, size_t{1} << 24}) {
    EncodeOptions options = at_level(1, 4);
    options.window_log = 20;
    Encoder encoder(options);
    ByteVector frame;
    ASSERT_TRUE(run_in_pieces(encoder, content, piece, frame).ok());
    if (expected.empty()) expected = frame;
    EXPECT_EQ(frame, expected) << piece;
  }
}

TEST(CoderThreads, CodersMayBeDroppedHalfway) {
  const ByteVector content = mixed_content();
  EncodeOptions options = at_level(1, 4);
  options.window_log = 20;
  const ByteVector frame = compressed(content, options);
  for (size_t part = 1; part < 8; ++part) {
    Encoder encoder(options);
    Bytes rest = Bytes(content).first(content.size() * part / 8);
    while (!rest.empty() && !encoder.input().empty()) {
      const MutableBytes room = encoder.input();
      const size_t size = std::min(room.size(), rest.size());
      std::copy_n(rest.begin(), size, room.begin());
      rest = rest.subspan(size);
      ASSERT_TRUE(encoder.commit(size).ok());
    }
    Decoder decoder(DecodeOptions{4, {}});
    Bytes frame_rest = Bytes(frame).first(frame.size() * part / 8);
    while (!frame_rest.empty() && !decoder.input().empty()) {
      const MutableBytes room = decoder.input();
      const size_t size = std::min(room.size(), frame_rest.size());
      std::copy_n(frame_rest.begin(), size, room.begin());
      frame_rest = frame_rest.subspan(size);
      ASSERT_TRUE(decoder.commit(size).ok());
    }
  }
}

TEST(CoderThreads, DamageInOneBlockIsReportedAfterTheBlocksBefore) {
  const ByteVector content = random_bytes(200000, 6);
  ByteVector frame = small_block_frame(content, 1000);
  MemorySource file{Bytes(frame)};
  const uint64_t at = inspect(file)->frames.at(0).blocks.at(150).file_offset;
  frame[at + 500] ^= 1;
  for (const unsigned threads : {1u, 2u, 5u}) {
    ByteVector back;
    const Status status = decode(frame, back, DecodeOptions{threads, {}});
    EXPECT_EQ(status.code(), Code::kChecksumMismatch);
    EXPECT_EQ(status.offset(), at);
    EXPECT_EQ(back.size(), 150000u);
    EXPECT_TRUE(is_prefix(back, content));
  }
}

}  // namespace
}  // namespace glyd::testing

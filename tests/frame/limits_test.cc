#include "codec/frame/frame_layout.h"
#include "tests/adversarial_inputs.h"
#include "tests/frame/coder_testing.h"

// Limits hold before the memory is taken: these tests would be killed, or take forever, if they did not.
namespace glyd::testing {
namespace {

DecodeOptions with_memory(uint64_t memory) {
  DecodeOptions options;
  options.limits.memory = memory;
  return options;
}

ByteVector header_claiming(uint8_t block_size_log, uint64_t content_size, uint64_t decoder_memory) {
  FrameHeader header;
  header.block_size_log = block_size_log;
  header.content_size = content_size;
  header.decoder_memory = decoder_memory;
  header.plans = {{}, {1}};
  ByteVector bytes;
  append_header(bytes, header);
  return bytes;
}

TEST(Limits, AFrameThatNeedsTooMuchMemoryIsRefusedByItsHeader) {
  ByteVector content;
  for (const ByteVector& bomb :
       {header_claiming(31, FrameHeader::kUnknownSize, 0), header_claiming(31, uint64_t{1} << 60, 0),
        header_claiming(10, 100, uint64_t{1} << 50)}) {
    const Status status = decode(bomb, content, with_memory(1 << 20));
    EXPECT_EQ(status.code(), Code::kMemoryLimit) << status.text();
  }
  // A small content needs little, whatever the block size could be.
  const ByteVector small = compressed(log_text(100, 1), at_level(19));
  EXPECT_TRUE(decode(small, content, with_memory(1 << 20)).ok());
}

TEST(Limits, ABlockThatClaimsMoreThanThereIsTakesNoMemoryForIt) {
  // 2 GiB in a block header at the end of a short file: the default limit refuses the frame.
  FrameHeader frame;
  frame.block_size_log = 31;
  frame.plans = {{}, {1}};
  ByteVector file;
  append_header(file, frame);
  std::array<uint8_t, kMaxBlockHeaderSize> room;
  const uint8_t* begin = store_block_header(room.data() + room.size(), {1, 0, uint64_t{1} << 31, uint64_t{1} << 31, 0});
  file.insert(file.end(), begin, static_cast<const uint8_t*>(room.data() + room.size()));
  ByteVector content;
  EXPECT_EQ(decode(file, content).code(), Code::kMemoryLimit);
}

TEST(Limits, FewerThreadsAreUsedBeforeAnythingIsRefused) {
  EncodeOptions options = at_level(3, 64);
  options.limits.memory = 200 << 20;
  const ResourceEstimate some = estimate(options);
  EXPECT_GT(some.threads, 1u);
  EXPECT_LT(some.threads, 64u);
  EXPECT_LE(some.memory, options.limits.memory);
  options.limits.memory = 1 << 20;
  EXPECT_EQ(estimate(options).threads, 0u);
  EXPECT_EQ(compress(log_text(3 << 20, 1), options).status().code(), Code::kMemoryLimit);
}

TEST(Limits, ADecoderWithRoomForOneBlockDecodesOneAtATime) {
  const ByteVector content = log_text(3 << 20, 1);
  EncodeOptions options = at_level(1);
  options.window_log = 20;
  const ByteVector frame = compressed(content, options);
  ByteVector back;
  EXPECT_TRUE(decode(frame, back, with_memory((3 << 20) + (256 << 10))).ok());
  EXPECT_EQ(back, content);
  EXPECT_EQ(decode(frame, back, with_memory(2 << 20)).code(), Code::kMemoryLimit);
}

TEST(Limits, OutputIsBoundedWithAndWithoutAnAnnouncedSize) {
  const ByteVector content = random_bytes(10000, 1);
  for (const bool announced : {true, false}) {
    const ByteVector frame = small_block_frame(content, 1000, announced);
    for (const uint64_t limit : {uint64_t{0}, uint64_t{999}, uint64_t{5500}, uint64_t{9999}}) {
      DecodeOptions options;
      options.limits.output = limit;
      ByteVector back;
      EXPECT_EQ(decode(frame, back, options).code(), Code::kOutputLimit) << limit;
      EXPECT_LE(back.size(), limit);
    }
    DecodeOptions options;
    options.limits.output = 10000;
    ByteVector back;
    EXPECT_TRUE(decode(frame, back, options).ok());
  }
}

TEST(Limits, OutputOfAllFramesTogetherIsBounded) {
  const ByteVector frame = small_block_frame(random_bytes(1000, 1), 1000);
  ByteVector file = frame;
  file.insert(file.end(), frame.begin(), frame.end());
  DecodeOptions options;
  options.limits.output = 1999;
  ByteVector back;
  EXPECT_EQ(decode(file, back, options).code(), Code::kOutputLimit);
  EXPECT_EQ(back.size(), 1000u);
}

TEST(Limits, AFrameMadeAgainstABaseAsksForIt) {
  FrameHeader header;
  header.block_size_log = 20;
  header.plans = {{}};
  header.bases = {{100, {1, 2}}};
  ByteVector file;
  append_header(file, header);
  ByteVector content;
  EXPECT_EQ(decode(file, content).code(), Code::kBaseNeeded);
}

TEST(Limits, AnUnknownTransformIsNamedBeforeItsBlocksAreRead) {
  FrameHeader header;
  header.block_size_log = 20;
  header.plans = {{}, {1}, {4711}};
  ByteVector file;
  append_header(file, header);
  ByteVector content;
  EXPECT_EQ(decode(file, content).code(), Code::kUnsupportedFeature);
}

TEST(Limits, AnIntermediateSizeBeyondTheBlockSizeIsDamage) {
  FrameHeader header;
  header.block_size_log = 10;
  header.plans = {{}, {2, 1}};
  ByteVector payload;
  append_varint(payload, uint64_t{1} << 40);
  payload.resize(60);
  ByteVector file;
  append_header(file, header);
  std::array<uint8_t, kMaxBlockHeaderSize> room;
  const uint8_t* begin = store_block_header(room.data() + room.size(), {1, 0, 1000, payload.size(), 0});
  file.insert(file.end(), begin, static_cast<const uint8_t*>(room.data() + room.size()));
  file.insert(file.end(), payload.begin(), payload.end());
  ByteVector content;
  EXPECT_EQ(decode(file, content).code(), Code::kCorrupt);
}

}  // namespace
}  // namespace glyd::testing

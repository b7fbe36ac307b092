#include "codec/frame/frame_layout.h"

#include <gtest/gtest.h>

namespace glyd {
namespace {

FrameHeader full_header() {
  FrameHeader header;
  header.content_size = 123456789;
  header.block_size_log = 23;
  header.decoder_memory = 3 * kDecoderMemoryUnit;
  header.bases = {{1u << 20, {1, 2}}, {5, {3, 4}}};
  header.plans = {{}, {1}, {2}, {2, 1}, {300, 70000, 1}};
  return header;
}

TEST(FrameHeader, RoundTrips) {
  const FrameHeader header = full_header();
  std::vector<uint8_t> bytes;
  append_header(bytes, header);
  const size_t size = bytes.size();
  bytes.resize(size + 100, 0xEE);
  const Result<Parsed<FrameHeader>> parsed = parse_header(bytes);
  ASSERT_TRUE(parsed.ok()) << parsed.status().text();
  EXPECT_EQ(parsed->size, size);
  EXPECT_EQ(parsed->value.content_size, header.content_size);
  EXPECT_EQ(parsed->value.block_size_log, header.block_size_log);
  EXPECT_EQ(parsed->value.decoder_memory, header.decoder_memory);
  EXPECT_EQ(parsed->value.plans, header.plans);
  ASSERT_EQ(parsed->value.bases.size(), 2u);
  EXPECT_EQ(parsed->value.bases[1].size, 5u);
  EXPECT_EQ(parsed->value.bases[1].hash, (Hash128{3, 4}));
}

TEST(FrameHeader, IsTruncatedAtEveryByteButTheLast) {
  std::vector<uint8_t> bytes;
  append_header(bytes, full_header());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(parse_header(Bytes(bytes).first(size)).status().code(), Code::kTruncated) << size;
  }
}

TEST(FrameHeader, EveryFlippedBitIsNoticed) {
  std::vector<uint8_t> bytes;
  append_header(bytes, full_header());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::vector<uint8_t> damaged = bytes;
    damaged[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    EXPECT_FALSE(parse_header(damaged).ok()) << bit;
  }
}

// Headers with a right check but wrong fields: what a hostile writer would make.
TEST(FrameHeader, RefusesFieldsThatBreakTheRules) {
  const auto error_of = [](auto change) {
    FrameHeader header;
    header.block_size_log = 20;
    header.plans = {{}, {1}};
    change(header);
    std::vector<uint8_t> bytes;
    append_header(bytes, header);
    return parse_header(bytes).status().code();
  };
  EXPECT_EQ(error_of([](FrameHeader&) {}), Code::kOk);
  EXPECT_EQ(error_of([](FrameHeader& h) { h.block_size_log = 9; }), Code::kCorrupt);
  EXPECT_EQ(error_of([](FrameHeader& h) { h.block_size_log = 32; }), Code::kCorrupt);
  EXPECT_EQ(error_of([](FrameHeader& h) { h.plans.push_back({}); }), Code::kCorrupt);
  EXPECT_EQ(error_of([](FrameHeader& h) { h.plans.push_back(PlanIds(9, 1)); }), Code::kCorrupt);
  EXPECT_EQ(error_of([](FrameHeader& h) { h.plans.resize(64, {1}); }), Code::kCorrupt);
  EXPECT_EQ(error_of([](FrameHeader& h) { h.bases.resize(17); }), Code::kCorrupt);
}

TEST(FrameHeader, NamesANewerVersionAndUnknownFlags) {
  std::vector<uint8_t> bytes;
  FrameHeader header;
  header.block_size_log = 20;
  header.plans = {{}};
  append_header(bytes, header);
  std::vector<uint8_t> newer = bytes;
  newer[4] = 2;
  EXPECT_EQ(parse_header(newer).status().code(), Code::kUnsupportedVersion);
  std::vector<uint8_t> flagged = bytes;
  flagged[5] = 4;
  const size_t check_at = flagged.size() - 4;
  store_le(flagged.data() + check_at, static_cast<uint32_t>(xxh64(Bytes(flagged).first(check_at))));
  EXPECT_EQ(parse_header(flagged).status().code(), Code::kUnsupportedFeature);
}

TEST(BlockHeader, RoundTripsAndRefusesWhatBreaksTheRules) {
  FrameHeader frame;
  frame.block_size_log = 12;
  frame.plans = {{}, {1}};
  const auto parse = [&](const BlockHeader& header) {
    std::array<uint8_t, kMaxBlockHeaderSize> bytes;
    const uint8_t* const begin = store_block_header(bytes.data() + bytes.size(), header);
    return parse_block_header(Bytes(begin, bytes.data() + bytes.size()), frame);
  };
  const Result<Parsed<BlockHeader>> parsed = parse({1, 1u << 30, 4096, 77, 0x0123456789ABCDEF});
  ASSERT_TRUE(parsed.ok()) << parsed.status().text();
  EXPECT_EQ(parsed->value.plan, 1u);
  EXPECT_EQ(parsed->value.content_offset, 1u << 30);
  EXPECT_EQ(parsed->value.content_size, 4096u);
  EXPECT_EQ(parsed->value.stored_size, 77u);
  EXPECT_EQ(parsed->value.content_hash, 0x0123456789ABCDEFu);
  EXPECT_FALSE(parse({2, 0, 100, 50, 0}).ok());   // no such plan
  EXPECT_FALSE(parse({1, 0, 0, 0, 0}).ok());      // empty
  EXPECT_FALSE(parse({1, 0, 4097, 50, 0}).ok());  // beyond the block size
  EXPECT_FALSE(parse({1, 0, 100, 101, 0}).ok());  // larger than its content
  EXPECT_FALSE(parse({1, 0, 100, 0, 0}).ok());    // nothing stored
  EXPECT_FALSE(parse({0, 0, 100, 99, 0}).ok());   // stored, but of another size
  EXPECT_TRUE(parse({0, 0, 100, 100, 0}).ok());
}

TEST(FrameEnd, RoundTripsAndNoticesEveryFlipAndTruncation) {
  FrameEnd end;
  end.content_hash = {11, 22};
  end.header_size = 27;
  for (uint64_t i = 1; i < 40; ++i) end.blocks.push_back({i * 1000, i * 333});
  std::vector<uint8_t> bytes;
  append_end(bytes, end);
  const Result<Parsed<FrameEnd>> parsed = parse_end(bytes);
  ASSERT_TRUE(parsed.ok()) << parsed.status().text();
  EXPECT_EQ(parsed->size, bytes.size());
  EXPECT_EQ(parsed->value.blocks, end.blocks);
  EXPECT_EQ(parsed->value.content_hash, end.content_hash);
  EXPECT_EQ(parsed->value.content_size(), 780000u);
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(parse_end(Bytes(bytes).first(size)).ok()) << size;
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::vector<uint8_t> damaged = bytes;
    damaged[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    EXPECT_FALSE(parse_end(damaged).ok()) << bit;
  }
}

TEST(FrameEnd, RefusesSumsThatOverflow) {
  FrameEnd end;
  end.header_size = 20;
  end.blocks = {{1, ~uint64_t{0}}, {1, 5}};
  std::vector<uint8_t> bytes;
  append_end(bytes, end);
  EXPECT_EQ(parse_end(bytes).status().code(), Code::kCorrupt);
}

}  // namespace
}  // namespace glyd

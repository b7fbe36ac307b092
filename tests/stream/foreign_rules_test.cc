#include <gtest/gtest.h>

#include "tests/stream/foreign_testing.h"

// What only some of the foreign formats have: padding, skippable frames, checks, windows.
namespace glyd {
namespace {

constexpr Limits kAmple{Limits::kNone, Limits::kNone};

ByteVector zeros(size_t size) {
  return ByteVector(size, 0);
}

ByteVector skippable(uint8_t nibble, size_t size) {
  ByteVector frame(8 + size, 0x28);
  store_le(frame.data(), 0x184D2A50u | nibble);
  store_le(frame.data() + 4, static_cast<uint32_t>(size));
  return frame;
}

// Reads `file`, whole and a byte at a time, and expects `content`.
void expect_content(ForeignFormat format, const ByteVector& file, const ByteVector& content) {
  for (const size_t source_size : {size_t{1}, size_t{1} << 20}) {
    TricklingSource source(file, source_size);
    const Decoded decoded = read_all(*open_foreign(format, source, kForeignTestLimits), 1000);
    EXPECT_TRUE(decoded.status.ok()) << decoded.status.text();
    EXPECT_TRUE(decoded.content == content);
  }
}

TEST(ForeignGzip, ZerosMayFollowTheLastMemberUpToTheEnd) {
  const ByteVector member = foreign_file("numbers.gz");
  for (const size_t size : {size_t{1}, size_t{512}, size_t{200000}}) {
    expect_content(ForeignFormat::kGzip, joined({member, member, zeros(size)}),
                   joined({numbers_content(), numbers_content()}));
    const Decoded decoded = decode_foreign(ForeignFormat::kGzip, joined({member, zeros(size), member}));
    EXPECT_EQ(decoded.status.code(), Code::kTrailingData);
    EXPECT_EQ(decoded.status.offset(), member.size() + size);
  }
  EXPECT_EQ(decode_foreign(ForeignFormat::kGzip, joined({zeros(4), member})).status.code(), Code::kCorrupt);
}

TEST(ForeignGzip, ReadsNamesAndHeaderChecks) {
  expect_content(ForeignFormat::kGzip, foreign_file("named.gz"), numbers_content());
  expect_content(ForeignFormat::kGzip, foreign_file("header_check.gz"), numbers_content());
  ByteVector changed = foreign_file("header_check.gz");
  changed[4] ^= 1;  // the time, which the header's check covers
  EXPECT_EQ(decode_foreign(ForeignFormat::kGzip, changed).status.code(), Code::kChecksumMismatch);
}

TEST(ForeignXz, StreamPaddingComesInFours) {
  const ByteVector stream = foreign_file("numbers.xz");
  for (const size_t size : {size_t{4}, size_t{8}, size_t{200000}}) {
    expect_content(ForeignFormat::kXz, joined({stream, zeros(size), stream, zeros(size)}),
                   joined({numbers_content(), numbers_content()}));
  }
  for (const size_t size : {1, 2, 3, 5}) {
    for (const ByteVector& rest : {ByteVector{}, stream}) {
      const Decoded decoded = decode_foreign(ForeignFormat::kXz, joined({stream, zeros(size), rest}));
      EXPECT_EQ(decoded.status.code(), Code::kCorrupt) << size;
      EXPECT_EQ(decoded.status.offset(), stream.size());
    }
  }
  EXPECT_EQ(decode_foreign(ForeignFormat::kXz, joined({zeros(4), stream})).status.code(), Code::kCorrupt);
}

TEST(ForeignXz, ReadsAllChecks) {
  expect_content(ForeignFormat::kXz, foreign_file("crc32.xz"), numbers_content());
  expect_content(ForeignFormat::kXz, foreign_file("sha256.xz"), numbers_content());
}

TEST(ForeignLzma, ReadsOtherDictionarySizes) {
  const ByteVector file = foreign_file("small_dictionary.lzma");
  EXPECT_EQ(sniff_foreign(file), ForeignFormat::kLzma);
  expect_content(ForeignFormat::kLzma, file, numbers_content());
}

// What other encoders than xz write: the content's size is in the header, and the end is not marked.
TEST(ForeignLzma, ReadsFilesThatStateTheirSize) {
  const ByteVector file = foreign_file("sized.lzma");
  EXPECT_EQ(sniff_foreign(file), ForeignFormat::kLzma);
  expect_content(ForeignFormat::kLzma, file, numbers_content());
  for (ByteVector cut = file; cut.size() > 1;) {
    cut.pop_back();
    const Decoded decoded = decode_foreign(ForeignFormat::kLzma, cut);
    EXPECT_EQ(decoded.status.code(), Code::kTruncated) << cut.size();
    EXPECT_EQ(decoded.status.offset(), cut.size());
  }
  const Decoded decoded = decode_foreign(ForeignFormat::kLzma, joined({file, bytes_of("garbage")}));
  EXPECT_EQ(decoded.status.code(), Code::kTrailingData);
  EXPECT_EQ(decoded.status.offset(), file.size());
}

// Wherever the source divides the input, within the marker too.
TEST(ForeignLzma, ReadsAStatedSizeAndAnEndMarker) {
  const ByteVector content = numbers_content();
  ByteVector file = foreign_file("numbers.lzma");  // marks its end and leaves the size open
  store_le(file.data() + 5, uint64_t{content.size()});
  for (size_t source_size = 1; source_size <= file.size(); ++source_size) {
    TricklingSource source(file, source_size);
    const Decoded decoded = read_all(*open_foreign(ForeignFormat::kLzma, source, kForeignTestLimits), 1000);
    EXPECT_TRUE(decoded.status.ok()) << source_size << ": " << decoded.status.text();
    EXPECT_TRUE(decoded.content == content) << source_size;
  }
}

TEST(ForeignLzma, ASecondStreamIsTrailingData) {
  const ByteVector stream = foreign_file("numbers.lzma");
  const Decoded decoded = decode_foreign(ForeignFormat::kLzma, joined({stream, stream}));
  EXPECT_EQ(decoded.status.code(), Code::kTrailingData);
  EXPECT_EQ(decoded.status.offset(), stream.size());
}

TEST(ForeignFrames, SkippableOnesHaveNoContent) {
  const std::pair<ForeignFormat, const char*> cases[] = {{ForeignFormat::kZstd, "numbers.zst"},
                                                         {ForeignFormat::kLz4, "numbers.lz4"}};
  for (const auto& [format, name] : cases) {
    const ByteVector frame = foreign_file(name);
    const ByteVector content = numbers_content();
    expect_content(format, joined({skippable(0, 10), frame}), content);
    expect_content(format, joined({frame, skippable(15, 0), frame, skippable(3, 100000)}), joined({content, content}));
    expect_content(format, skippable(7, 20), {});
    ByteVector cut = joined({frame, skippable(0, 20)});
    while (cut.size() > frame.size() + 1) {
      cut.pop_back();
      const Decoded decoded = decode_foreign(format, cut);
      EXPECT_EQ(decoded.status.code(), Code::kTruncated) << name << " " << cut.size() - frame.size();
      EXPECT_EQ(decoded.status.offset(), cut.size());
    }
  }
}

TEST(ForeignFrames, ReadsOtherOptionsOfTheTools) {
  expect_content(ForeignFormat::kZstd, foreign_file("no_check.zst"), numbers_content());
  expect_content(ForeignFormat::kLz4, foreign_file("linked_blocks.lz4"), numbers_content());
}

// A single segment without a checksum that announces a byte and has an empty block: libzstd itself takes it.
TEST(ForeignFrames, AnAnnouncedSizeThatDoesNotComeIsDamage) {
  const ByteVector frame{0x28, 0xB5, 0x2F, 0xFD, 0x20, 1, 1, 0, 0};
  ByteVector empty = frame;
  empty[5] = 0;
  expect_content(ForeignFormat::kZstd, empty, {});
  for (const size_t source_size : {size_t{1}, size_t{100}}) {
    TricklingSource source(frame, source_size);
    const Decoded decoded = read_all(*open_foreign(ForeignFormat::kZstd, source, kForeignTestLimits), 7);
    EXPECT_EQ(decoded.status.code(), Code::kCorrupt) << source_size;
  }
}

TEST(ForeignChecks, AChangedChecksumIsCalledOne) {
  const std::pair<ForeignFormat, const char*> cases[] = {{ForeignFormat::kGzip, "numbers.gz"},
                                                         {ForeignFormat::kZstd, "numbers.zst"},
                                                         {ForeignFormat::kLz4, "numbers.lz4"}};
  for (const auto& [format, name] : cases) {
    ByteVector file = foreign_file(name);
    file.back() ^= 0x40;  // gzip: of the size, which is a check as well
    const Decoded decoded = decode_foreign(format, file);
    EXPECT_EQ(decoded.status.code(), Code::kChecksumMismatch) << name << ": " << decoded.status.text();
    EXPECT_TRUE(decoded.status.has_offset());
    EXPECT_LE(decoded.status.offset(), file.size());
    if (format == ForeignFormat::kGzip) {
      EXPECT_GE(decoded.status.offset(), file.size() - 8);
    }
  }
}

TEST(ForeignDamage, IsPlacedInTheSecondMemberWhenThatIsDamaged) {
  const ByteVector first = foreign_file("lines.gz");
  ByteVector second = foreign_file("numbers.gz");
  second[40] ^= 0x10;
  const Decoded decoded = decode_foreign(ForeignFormat::kGzip, joined({first, second}));
  EXPECT_FALSE(decoded.status.ok());
  EXPECT_GE(decoded.status.offset(), first.size());
  EXPECT_LE(decoded.status.offset(), first.size() + second.size());
}

TEST(ForeignDamage, OfXzIsPlacedWhereItIsSeen) {
  ByteVector file = foreign_file("numbers.xz");
  file[file.size() - 3] ^= 1;  // the flags in the stream's footer, which has a checksum
  const Decoded decoded = decode_foreign(ForeignFormat::kXz, file);
  EXPECT_EQ(decoded.status.code(), Code::kCorrupt);
  EXPECT_GE(decoded.status.offset(), file.size() - 12);
}

TEST(ForeignMemory, HugeWindowsAreRefusedUnderASmallLimit) {
  const std::pair<ForeignFormat, const char*> cases[] = {{ForeignFormat::kZstd, "window_2gib.zst"},
                                                         {ForeignFormat::kXz, "dictionary_1536mib.xz"},
                                                         {ForeignFormat::kLzma, "dictionary_1536mib.lzma"}};
  for (const auto& [format, name] : cases) {
    const ByteVector file = foreign_file(name);
    EXPECT_EQ(sniff_foreign(file), format);
    for (const uint64_t memory : {uint64_t{64} << 20, uint64_t{1} << 30}) {
      const Decoded decoded = decode_foreign(format, file, {memory, Limits::kNone});
      EXPECT_EQ(decoded.status.code(), Code::kMemoryLimit) << name;
      EXPECT_TRUE(decoded.status.has_offset());
      EXPECT_TRUE(decoded.content.empty());
    }
  }
}

TEST(ForeignMemory, TheLimitHoldsForALaterMemberToo) {
  const ByteVector file = joined({foreign_file("numbers.zst"), foreign_file("window_2gib.zst")});
  const Decoded decoded = decode_foreign(ForeignFormat::kZstd, file);
  EXPECT_EQ(decoded.status.code(), Code::kMemoryLimit);
  EXPECT_GE(decoded.status.offset(), foreign_file("numbers.zst").size());
}

TEST(ForeignMemory, SmallWindowsNeedLittle) {
  constexpr uint64_t kMiB = uint64_t{1} << 20;
  EXPECT_TRUE(decode_foreign(ForeignFormat::kGzip, foreign_file("lines.gz"), {kMiB, Limits::kNone}).status.ok());
  const ByteVector linked = foreign_file("linked_blocks.lz4");  // blocks of 64 KiB
  EXPECT_TRUE(decode_foreign(ForeignFormat::kLz4, linked, {kMiB, Limits::kNone}).status.ok());
  const ByteVector large_blocks = foreign_file("lines.lz4");  // 4 MiB
  EXPECT_EQ(decode_foreign(ForeignFormat::kLz4, large_blocks, {4 * kMiB, Limits::kNone}).status.code(),
            Code::kMemoryLimit);
  EXPECT_TRUE(decode_foreign(ForeignFormat::kLz4, large_blocks, {9 * kMiB, Limits::kNone}).status.ok());
}

// A content of which every output limit is reached in the middle of a step.
TEST(ForeignOutput, ALimitStopsLargeContentEarly) {
  for (const uint64_t limit : {uint64_t{1}, uint64_t{65536}, uint64_t{1999999}}) {
    const Decoded decoded = decode_foreign(ForeignFormat::kZstd, foreign_file("lines.zst"), {kAmple.memory, limit});
    EXPECT_EQ(decoded.status.code(), Code::kOutputLimit);
    EXPECT_LE(decoded.content.size(), limit);
  }
}

}  // namespace
}  // namespace glyd

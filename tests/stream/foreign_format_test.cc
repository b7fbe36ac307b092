#include "codec/stream/foreign_format.h"

#include <gtest/gtest.h>

#include "tests/stream/foreign_testing.h"

namespace glyd {
namespace {

struct FormatCase {
  ForeignFormat format;
  const char* suffix;
};

constexpr FormatCase kGzip{ForeignFormat::kGzip, ".gz"};
constexpr FormatCase kBzip2{ForeignFormat::kBzip2, ".bz2"};
constexpr FormatCase kXz{ForeignFormat::kXz, ".xz"};
constexpr FormatCase kLzma{ForeignFormat::kLzma, ".lzma"};
constexpr FormatCase kZstd{ForeignFormat::kZstd, ".zst"};
constexpr FormatCase kLz4{ForeignFormat::kLz4, ".lz4"};

std::string case_name(const testing::TestParamInfo<FormatCase>& info) {
  return foreign_name(info.param.format);
}

class EveryFormat : public testing::TestWithParam<FormatCase> {
 protected:
  ForeignFormat format() const { return GetParam().format; }
  ByteVector file(const std::string& name) const { return foreign_file(name + GetParam().suffix); }
  Decoded decode(const ByteVector& bytes, const Limits& limits = kForeignTestLimits) const {
    return decode_foreign(format(), bytes, limits);
  }
};

INSTANTIATE_TEST_SUITE_P(Foreign, EveryFormat, testing::Values(kGzip, kBzip2, kXz, kLzma, kZstd, kLz4), case_name);

// All but .lzma, which holds one stream.
class FormatWithMembers : public EveryFormat {};

INSTANTIATE_TEST_SUITE_P(Foreign, FormatWithMembers, testing::Values(kGzip, kBzip2, kXz, kZstd, kLz4), case_name);

TEST_P(EveryFormat, IsToldByItsFirstBytes) {
  for (const char* name : {"numbers", "lines", "empty"}) {
    const ByteVector bytes = file(name);
    ASSERT_GE(bytes.size(), size_t{13});
    EXPECT_EQ(sniff_foreign(bytes), format());
    const size_t enough = std::min(bytes.size(), kForeignMagicSize);
    EXPECT_EQ(sniff_foreign(Bytes(bytes).first(enough)), format());
    EXPECT_EQ(sniff_foreign(Bytes(bytes).first(2)), ForeignFormat::kNone);
  }
}

TEST_P(EveryFormat, ReadsWhatItsToolWroteThroughBuffersOfAllSizes) {
  const std::pair<const char*, ByteVector> cases[] = {
      {"numbers", numbers_content()}, {"lines", lines_content()}, {"empty", {}}};
  for (const auto& [name, content] : cases) {
    const ByteVector compressed = file(name);
    for (const size_t source_size : {size_t{1}, size_t{7}, size_t{1} << 20}) {
      for (const size_t destination_size : {size_t{1}, size_t{1000}, size_t{4} << 20}) {
        TricklingSource source(compressed, source_size);
        const auto opened = open_foreign(format(), source, kForeignTestLimits);
        const Decoded decoded = read_all(*opened, destination_size);
        EXPECT_TRUE(decoded.status.ok()) << decoded.status.text();
        EXPECT_TRUE(decoded.content == content) << name << " " << source_size << " " << destination_size;
        ByteVector more(1);
        const Result<size_t> after_end = opened->read(more);
        EXPECT_TRUE(after_end.ok() && *after_end == 0);
      }
    }
  }
}

TEST_P(EveryFormat, EveryTruncationIsFoundAtTheEndOfTheInput) {
  for (const char* name : {"numbers", "empty"}) {
    const ByteVector whole = file(name);
    for (size_t size = 0; size < whole.size(); ++size) {
      const Decoded decoded = decode({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
      EXPECT_EQ(decoded.status.code(), Code::kTruncated) << name << " cut to " << size;
      EXPECT_EQ(decoded.status.offset(), size) << name;
    }
  }
}

// Whether a format lets this bit of its file "numbers" change without another content.
bool is_unprotected(ForeignFormat format, size_t byte, unsigned bit, size_t size) {
  switch (format) {
    case ForeignFormat::kGzip:  // flag for text; time, level and system; filling bit at the end of the data
      return (byte == 3 && bit == 0) || (byte >= 4 && byte < 10) || (byte == size - 9 && bit == 7);
    case ForeignFormat::kBzip2:  // size of blocks; the obsolete flag for randomised blocks; filling bits
      return byte == 3 || (byte == 14 && bit == 7) || byte == size - 1;
    case ForeignFormat::kZstd:  // unused flag; size of the window; filling bits of the Huffman table
      return (byte == 4 && bit == 4) || byte == 5 || (byte == 15 && bit >= 4);
    default:
      return false;
  }
}

TEST_P(EveryFormat, EveryFlippedBitIsFoundOrHarmless) {
  const ByteVector content = numbers_content();
  ByteVector changed = file("numbers");
  for (size_t at = 0; at < changed.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const uint8_t mask = static_cast<uint8_t>(1u << bit);
      changed[at] ^= mask;
      const Decoded decoded = decode(changed);
      changed[at] ^= mask;
      EXPECT_LE(decoded.content.size(), kForeignTestLimits.output);
      EXPECT_NE(decoded.status.code(), Code::kOutOfMemory);
      // .lzma has no checksum that would show wrong content.
      if (!decoded.status.ok() || format() == ForeignFormat::kLzma) continue;
      EXPECT_EQ(decoded.content, content) << "byte " << at << " bit " << bit;
      EXPECT_TRUE(is_unprotected(format(), at, bit, changed.size())) << "byte " << at << " bit " << bit;
    }
  }
}

TEST_P(FormatWithMembers, MembersThatFollowOneAnotherAreOneContent) {
  const ByteVector compressed = joined({file("numbers"), file("empty"), file("lines"), file("empty"), file("numbers")});
  const ByteVector content = joined({numbers_content(), lines_content(), numbers_content()});
  for (const size_t source_size : {size_t{1}, size_t{1} << 20}) {
    TricklingSource source(compressed, source_size);
    const Decoded decoded = read_all(*open_foreign(format(), source, kForeignTestLimits), 5000);
    EXPECT_TRUE(decoded.status.ok()) << decoded.status.text();
    EXPECT_TRUE(decoded.content == content);
  }
}

TEST_P(FormatWithMembers, ASecondMemberThatIsCutIsFound) {
  const ByteVector first = file("numbers");
  const ByteVector whole = joined({first, first});
  for (size_t size = first.size() + 1; size < whole.size(); ++size) {
    const Decoded decoded = decode({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_EQ(decoded.status.code(), Code::kTruncated) << size;
    EXPECT_EQ(decoded.status.offset(), size);
  }
}

TEST_P(EveryFormat, WhatFollowsTheLastMemberIsAnError) {
  const ByteVector first = file("numbers");
  for (const std::string& garbage : {std::string("g"), std::string("garbage"), std::string(100000, 'x')}) {
    const ByteVector compressed = joined({first, bytes_of(garbage)});
    const Decoded decoded = decode(compressed);
    EXPECT_EQ(decoded.status.code(), Code::kTrailingData) << decoded.status.text();
    EXPECT_GE(decoded.status.offset(), first.size());
    const size_t slack = format() == ForeignFormat::kBzip2 ? 4096 : 0;
    EXPECT_LE(decoded.status.offset(), first.size() + slack);
  }
}

TEST_P(EveryFormat, ContentMayBeAsLargeAsTheLimitAndNoLarger) {
  const ByteVector content = numbers_content();
  for (const uint64_t limit : {content.size(), content.size() - 1, size_t{1}, size_t{0}}) {
    const Decoded decoded = decode(file("numbers"), {kForeignTestLimits.memory, limit});
    const Code expected = limit == content.size() ? Code::kOk : Code::kOutputLimit;
    EXPECT_EQ(decoded.status.code(), expected) << limit;
    EXPECT_LE(decoded.content.size(), limit);
  }
  EXPECT_TRUE(decode(file("empty"), {kForeignTestLimits.memory, 0}).status.ok());
}

TEST_P(EveryFormat, NeedsSomeMemory) {
  EXPECT_EQ(decode(file("numbers"), {0, Limits::kNone}).status.code(), Code::kMemoryLimit);
  EXPECT_EQ(decode(file("numbers"), {size_t{80} << 10, Limits::kNone}).status.code(), Code::kMemoryLimit);
  EXPECT_TRUE(decode(file("numbers"), {Limits::kNone, Limits::kNone}).status.ok());
}

TEST_P(EveryFormat, KeepsItsFirstError) {
  ByteVector cut = file("numbers");
  cut.pop_back();
  MemorySource compressed(cut);
  const auto source = open_foreign(format(), compressed, kForeignTestLimits);
  const Decoded first = read_all(*source, 10);
  const Decoded again = read_all(*source, 10);
  EXPECT_EQ(first.status.code(), Code::kTruncated);
  EXPECT_EQ(again.status.code(), first.status.code());
  EXPECT_EQ(again.status.offset(), first.status.offset());
  EXPECT_TRUE(again.content.empty());
}

TEST_P(EveryFormat, ErrorsOfTheSourceAreHandedOn) {
  const ByteVector whole = file("numbers");
  for (const size_t size : {size_t{0}, size_t{3}, whole.size() / 2, whole.size()}) {
    TricklingSource compressed(Bytes(whole).first(size), 50, Status::from_errno(5, "reading the input"));
    const Decoded decoded = read_all(*open_foreign(format(), compressed, kForeignTestLimits), 4096);
    EXPECT_EQ(decoded.status.code(), Code::kIo) << size;
    EXPECT_EQ(decoded.status.system_error(), 5);
  }
}

TEST_P(EveryFormat, AnotherFormatIsAnErrorNotContent) {
  for (const FormatCase& other : {kGzip, kBzip2, kXz, kZstd, kLz4}) {
    if (other.format == format()) continue;
    const Decoded decoded = decode(foreign_file(std::string("numbers") + other.suffix));
    EXPECT_FALSE(decoded.status.ok()) << other.suffix;
    EXPECT_NE(decoded.status.code(), Code::kTrailingData) << other.suffix;
  }
}

TEST(ForeignNames, AreThoseOfTheTools) {
  EXPECT_STREQ(foreign_name(ForeignFormat::kGzip), "gzip");
  EXPECT_STREQ(foreign_name(ForeignFormat::kBzip2), "bzip2");
  EXPECT_STREQ(foreign_name(ForeignFormat::kXz), "xz");
  EXPECT_STREQ(foreign_name(ForeignFormat::kLzma), "lzma");
  EXPECT_STREQ(foreign_name(ForeignFormat::kZstd), "zstd");
  EXPECT_STREQ(foreign_name(ForeignFormat::kLz4), "lz4");
  EXPECT_STREQ(foreign_name(ForeignFormat::kNone), "unknown");
}

TEST(SniffForeign, KnowsNothingElse) {
  EXPECT_EQ(sniff_foreign({}), ForeignFormat::kNone);
  EXPECT_EQ(sniff_foreign(ByteVector(64, 0)), ForeignFormat::kNone);
  EXPECT_EQ(sniff_foreign(ByteVector(64, 0xFF)), ForeignFormat::kNone);
  EXPECT_EQ(sniff_foreign(bytes_of("BZh0 is not a size of blocks")), ForeignFormat::kNone);
  EXPECT_EQ(sniff_foreign(bytes_of("]\n text that starts like a .lzma file")), ForeignFormat::kNone);
  EXPECT_EQ(sniff_foreign(ByteVector{0x1F, 0x8B, 7, 0, 0, 0, 0, 0, 0, 0}), ForeignFormat::kNone);
}

// Every byte of a .lzma header, changed to each other value: only sensible ones are taken for .lzma.
TEST(SniffForeign, TellsLzmaByAHeaderThatMakesSense) {
  ByteVector header = foreign_file("numbers.lzma");
  header.resize(kForeignMagicSize);
  size_t taken = 0;
  for (size_t at = 0; at < header.size(); ++at) {
    for (unsigned value = 0; value < 256; ++value) {
      ByteVector changed = header;
      changed[at] = static_cast<uint8_t>(value);
      if (changed != header && sniff_foreign(changed) == ForeignFormat::kLzma) ++taken;
    }
  }
  // 74 other properties, and few dictionary sizes; the content's size is unknown, which has one form.
  EXPECT_LE(taken, size_t{100});
  EXPECT_GE(taken, size_t{74});
}

}  // namespace
}  // namespace glyd

#include "tests/adversarial_inputs.h"
#include "tests/frame/coder_testing.h"

namespace glyd::testing {
namespace {

struct Salvaged {
  ByteVector content;
  SalvageReport report;
};

Salvaged salvaged(const ByteVector& file) {
  MemorySource source{Bytes(file)};
  MemorySink sink;
  const Result<SalvageReport> report = salvage(source, sink, {});
  EXPECT_TRUE(report.ok()) << report.status().text();
  return {sink.bytes(), report.ok() ? *report : SalvageReport{}};
}

class SalvageTest : public ::testing::Test {
 protected:
  SalvageTest() : content_(random_bytes(5000, 1)), file_(small_block_frame(content_, 1000)) {
    MemorySource source{Bytes(file_)};
    blocks_ = inspect(source)->frames.at(0).blocks;
  }
  ByteVector with_zeros(size_t from, size_t to) const {
    ByteVector expected = content_;
    std::fill(expected.begin() + static_cast<ptrdiff_t>(from), expected.begin() + static_cast<ptrdiff_t>(to),
              uint8_t{0});
    return expected;
  }
  ByteVector content_;
  ByteVector file_;
  std::vector<BlockInfo> blocks_;
};

TEST_F(SalvageTest, AWholeFileHasNoGaps) {
  const Salvaged result = salvaged(file_);
  EXPECT_TRUE(result.report.whole());
  EXPECT_EQ(result.content, content_);
  EXPECT_EQ(result.report.blocks, 5u);
}

TEST_F(SalvageTest, ADamagedPayloadCostsItsBlock) {
  file_[blocks_[2].file_offset + 100] ^= 4;
  const Salvaged result = salvaged(file_);
  EXPECT_EQ(result.content, with_zeros(2000, 3000));
  ASSERT_EQ(result.report.gaps.size(), 1u);
  EXPECT_EQ(result.report.gaps[0].content_offset, 2000u);
  EXPECT_EQ(result.report.gaps[0].size, 1000u);
  EXPECT_EQ(result.report.gaps[0].file_offset, blocks_[2].file_offset);
}

TEST_F(SalvageTest, ADamagedBlockHeaderCostsItsBlock) {
  for (size_t byte = 0; byte < 10; ++byte) {
    ByteVector damaged = file_;
    damaged[blocks_[3].file_offset + byte] ^= 0x80;
    const Salvaged result = salvaged(damaged);
    EXPECT_EQ(result.content, with_zeros(3000, 4000)) << byte;
    EXPECT_EQ(result.report.gaps.size(), 1u);
  }
}

TEST_F(SalvageTest, ADamagedFrameHeaderCostsNothingButTheWord) {
  // The frame's own plan table is lost, but [run-length] and stored blocks are among the guesses.
  for (size_t byte = 0; byte < 8; ++byte) {
    ByteVector damaged = file_;
    damaged[byte] ^= 0x20;
    const Salvaged result = salvaged(damaged);
    EXPECT_EQ(result.content, content_) << byte;
  }
}

TEST_F(SalvageTest, BytesLostOrAddedInTheMiddleCostTheBlocksTheyHit) {
  ByteVector shorter = file_;
  shorter.erase(shorter.begin() + static_cast<ptrdiff_t>(blocks_[1].file_offset) + 500,
                shorter.begin() + static_cast<ptrdiff_t>(blocks_[2].file_offset) + 3);
  EXPECT_EQ(salvaged(shorter).content, with_zeros(1000, 3000));
  ByteVector longer = file_;
  const ByteVector noise = random_bytes(777, 8);
  longer.insert(longer.begin() + static_cast<ptrdiff_t>(blocks_[4].file_offset), noise.begin(), noise.end());
  EXPECT_EQ(salvaged(longer).content, content_);
}

TEST_F(SalvageTest, ATruncatedFileGivesTheBlocksBefore) {
  for (size_t keep = 0; keep < 5; ++keep) {
    const ByteVector cut(file_.begin(), file_.begin() + static_cast<ptrdiff_t>(blocks_[keep].file_offset) + 10);
    const Salvaged result = salvaged(cut);
    EXPECT_EQ(result.content, ByteVector(content_.begin(), content_.begin() + static_cast<ptrdiff_t>(keep * 1000)));
    ASSERT_FALSE(result.report.whole());
    EXPECT_EQ(result.report.gaps.back().size, 5000 - keep * 1000);
  }
}

TEST_F(SalvageTest, TheFrameAfterADamagedOneIsFound) {
  const ByteVector second = compressed(log_text(400, 1));
  ByteVector file = file_;
  file.insert(file.end(), second.begin(), second.end());
  file[blocks_[4].file_offset + 20] ^= 1;
  ByteVector expected = with_zeros(4000, 5000);
  const ByteVector text = log_text(400, 1);
  expected.insert(expected.end(), text.begin(), text.end());
  const Salvaged result = salvaged(file);
  EXPECT_EQ(result.content, expected);
  EXPECT_EQ(result.report.gaps.size(), 1u);
}

TEST_F(SalvageTest, NoiseHasNothingInIt) {
  const Salvaged result = salvaged(random_bytes(100000, 3));
  EXPECT_TRUE(result.content.empty());
  EXPECT_FALSE(result.report.whole());
  EXPECT_FALSE(salvaged({}).report.whole());
}

TEST_F(SalvageTest, EveryFlippedBitLosesAtMostItsBlock) {
  for (size_t bit = 0; bit < file_.size() * 8; bit += 5) {
    ByteVector damaged = file_;
    damaged[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    const Salvaged result = salvaged(damaged);
    ASSERT_LE(result.content.size(), content_.size()) << bit;
    size_t wrong = content_.size() - result.content.size();
    for (size_t i = 0; i < result.content.size(); ++i) {
      if (result.content[i] != content_[i]) {
        EXPECT_EQ(result.content[i], 0) << bit;
        ++wrong;
      }
    }
    EXPECT_LE(wrong, 1000u) << bit;
  }
}

}  // namespace
}  // namespace glyd::testing

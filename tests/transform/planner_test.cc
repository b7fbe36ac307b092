#include "codec/plan/planner.h"

#include <gtest/gtest.h>

#include "tests/adversarial_inputs.h"

namespace glyd {
namespace {

TEST(LevelSettings, CoversTheRangeAndRefusesTheRest) {
  for (int level = -kMaxFast; level <= kMaxLevel; ++level) EXPECT_TRUE(level_settings(level, 0).ok()) << level;
  EXPECT_FALSE(level_settings(kMaxLevel + 1, 0).ok());
  EXPECT_FALSE(level_settings(-kMaxFast - 1, 0).ok());
  EXPECT_TRUE(level_settings(kLevelLz4, 0).ok());
  EXPECT_FALSE(level_settings(kLevelLz4, 27).ok());
  EXPECT_FALSE(level_settings(3, kMinWindowLog - 1).ok());
  EXPECT_FALSE(level_settings(3, kMaxWindowLog + 1).ok());
  EXPECT_EQ(level_settings(0, 0)->parameters.level, kDefaultLevel);
}

TEST(LevelSettings, AWindowIsABlock) {
  for (int log = kMinWindowLog; log <= kMaxWindowLog; ++log) {
    const Result<LevelSettings> settings = level_settings(19, log);
    ASSERT_TRUE(settings.ok());
    EXPECT_EQ(settings->block_size_log, static_cast<unsigned>(log));
    EXPECT_TRUE(settings->parameters.long_distance);
  }
}

TEST(Planner, TriesRunLengthWhereRunsAre) {
  const Planner planner(*level_settings(3, 0));
  EXPECT_TRUE(planner.plans()[kStoredPlan].empty());
  const std::vector<uint8_t> zeros(100000);
  EXPECT_EQ(run_share(zeros), 1.0);
  EXPECT_GT(planner.candidates(zeros).size(), 1u);
  const std::vector<uint8_t> text = testing::log_text(100000, 1);
  EXPECT_EQ(run_share(text), 0.0);
  EXPECT_EQ(planner.candidates(text).size(), 1u);
}

TEST(Planner, SeesRunsInTheSmallestBlocks) {
  for (size_t size = 1; size < 200; ++size) EXPECT_EQ(run_share(std::vector<uint8_t>(size, 3)), 1.0) << size;
}

std::string shown(const std::vector<TypedRegion>& regions) {
  std::string text;
  for (const TypedRegion& region : regions) {
    text += std::to_string(region.offset) + "+" + std::to_string(region.size) + " " +
            std::string(find_element_type(static_cast<uint64_t>(region.type))->name) + "; ";
  }
  return text;
}

TEST(Planner, CutsRegionsAlongBlocks) {
  // Bytes 100 to 1,101 are fp32, so that elements begin at 100, 104 ...; then a gap; then bf16 to the end.
  const Planner planner(*level_settings(3, 0),
                        {{100, 1001, ElementType::kFp32}, {1200, ~uint64_t{0}, ElementType::kBf16}});
  EXPECT_EQ(shown(planner.block_regions(0, 2000)), "0+100 bytes; 100+1000 fp32; 1100+100 bytes; 1200+800 bf16; ");
  EXPECT_EQ(shown(planner.block_regions(0, 100)), "0+100 bytes; ");
  EXPECT_EQ(shown(planner.block_regions(0, 103)), "0+103 bytes; ");
  EXPECT_EQ(shown(planner.block_regions(0, 106)), "0+100 bytes; 100+4 fp32; 104+2 bytes; ");
  EXPECT_EQ(shown(planner.block_regions(106, 100)), "0+2 bytes; 2+96 fp32; 98+2 bytes; ");
  EXPECT_EQ(shown(planner.block_regions(1101, 99)), "0+99 bytes; ");
  EXPECT_EQ(shown(planner.block_regions(1101, 102)), "0+99 bytes; 99+2 bf16; 101+1 bytes; ");
  EXPECT_EQ(shown(planner.block_regions(uint64_t{1} << 40, 10)), "0+10 bf16; ");
  EXPECT_EQ(planner.candidates(std::vector<uint8_t>(10), planner.block_regions(1200, 10)).size(), 1u);
}

TEST(Planner, TakesHeadersForTextAndLongGapsForContent) {
  const uint64_t begin = uint64_t{1} << 30;
  const Planner planner(*level_settings(3, 0), {{0, 8, ElementType::kInt64}, {begin, 8, ElementType::kInt64}});
  EXPECT_EQ(shown(planner.block_regions(1 << 20, 1 << 20)), "0+1048576 bytes; ");
  EXPECT_EQ(shown(planner.block_regions(begin - (1 << 20), 1 << 20)), "");
  EXPECT_EQ(shown(planner.block_regions(begin + (1 << 20), 1 << 20)), "0+1048576 bytes; ");
  EXPECT_EQ(shown(planner.block_regions(2 * begin, 1 << 20)), "");
}

TEST(Planner, KnowsWhereStringsBeginOnlyAtTheirStart) {
  const Planner planner(*level_settings(3, 0),
                        {{10, 100, ElementType::kStrings}, {200, 100, ElementType::kSafetensorsHeader}});
  EXPECT_EQ(shown(planner.block_regions(0, 60)), "0+10 bytes; 10+50 strings; ");
  EXPECT_EQ(shown(planner.block_regions(60, 100)), "0+100 bytes; ");
  EXPECT_EQ(shown(planner.block_regions(250, 100)), "0+50 safetensors-header; 50+50 bytes; ");
}

TEST(Planner, CoversEveryBlockWithWholeElements) {
  testing::Random random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<TypedRegion> regions;
    uint64_t at = 0;
    for (uint64_t i = 1 + random.below(6); i > 0; --i) {
      at += random.below(3) * random.below(50);
      const uint64_t size = 1 + random.below(1000);
      regions.push_back({at, size, kElementTypes[random.below(kElementTypes.size())].type});
      at += size;
    }
    const Planner planner(*level_settings(3, 0), regions);
    for (uint64_t offset = 0; offset < at + 10;) {
      const uint64_t size = 1 + random.below(700);
      uint64_t covered = 0;
      for (const TypedRegion& region : planner.block_regions(offset, size)) {
        ASSERT_EQ(region.offset, covered);
        ASSERT_GT(region.size, 0u);
        ASSERT_EQ(region.size % find_element_type(static_cast<uint64_t>(region.type))->size, 0u);
        covered += region.size;
      }
      ASSERT_TRUE(covered == size || covered == 0);
      offset += size;
    }
  }
}

TEST(Planner, BytesAloneAreNoType) {
  const Planner planner(*level_settings(3, 0), {{0, ~uint64_t{0}, ElementType::kBytes}});
  EXPECT_TRUE(planner.block_regions(0, 1000).empty());
}

TEST(Planner, WithoutRegionsNothingIsTyped) {
  const Planner planner(*level_settings(3, 0));
  EXPECT_TRUE(planner.block_regions(0, 1000).empty());
  EXPECT_EQ(planner.plans().size() + 1, Planner(*level_settings(3, 0), {{0, 4, ElementType::kFp32}}).plans().size());
}

}  // namespace
}  // namespace glyd

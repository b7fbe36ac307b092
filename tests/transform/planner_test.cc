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

}  // namespace
}  // namespace glyd

#pragma once

#include "codec/base/status.h"
#include "codec/transform/transform.h"

namespace glyd {

// Levels are zstd's: -kMaxFast ... kMaxLevel, where 0 stands for kDefaultLevel. One more name stands outside that
// range.
inline constexpr int kDefaultLevel = 3;
inline constexpr int kMaxLevel = 19;
inline constexpr int kMaxFast = 1000;
// LZ4's speed and size, both ways.
inline constexpr int kLevelLz4 = -2000;

// The range of --long: log2 of the window in bytes.
inline constexpr int kMinWindowLog = 20;
inline constexpr int kMaxWindowLog = 31;

// log2 of the block size: what a frame may have, and what the levels use (without --long) at most.
inline constexpr unsigned kMinBlockLog = 10;
inline constexpr unsigned kMaxBlockLog = 31;

// What a level means: the transform that does the main work, how it is driven, and the size of a block.
struct LevelSettings {
  TransformId codec = TransformId::kZstd;
  StepParameters parameters;
  unsigned block_size_log = 0;
};

// Errors: kInvalidArgument for a level or window outside the ranges above, or a window with kLevelLz4, whose
// matches reach 64 KiB whatever is asked. window_log 0 leaves it to the level.
Result<LevelSettings> level_settings(int level, int window_log);

}  // namespace glyd

#include "codec/plan/level.h"

namespace glyd {
namespace {

// A block has all its content in memory on both sides, so the window may as well be the whole block. Sizes: small
// enough that two workers keep busy on files of some tens of MB and memory stays low, large enough that starting anew
// at each block costs no more than the longer window gains back (bench/results/report.md: sizes beside zstd's).
unsigned zstd_block_size_log(int level) {
  if (level <= 8) return 23;   //  8 MiB; zstd's own window: 0.5 to 2 MiB
  if (level <= 15) return 24;  // 16 MiB; 4 MiB
  return 25;                   // 32 MiB; 8 MiB
}

constexpr unsigned kLz4BlockSizeLog = 22;

}  // namespace

Result<LevelSettings> level_settings(int level, int window_log) {
  if (window_log != 0 && (window_log < kMinWindowLog || window_log > kMaxWindowLog)) {
    return Status(Code::kInvalidArgument, "window: 2^20 to 2^31 bytes");
  }
  LevelSettings settings;
  if (level == kLevelLz4) {
    if (window_log != 0) return Status(Code::kInvalidArgument, "the LZ4 tier has no long window");
    settings.codec = TransformId::kLz4;
    settings.block_size_log = kLz4BlockSizeLog;
    return settings;
  }
  if (level < -kMaxFast || level > kMaxLevel) {
    return Status(Code::kInvalidArgument, "level: 1 to 19, or fast 1 to 1000");
  }
  settings.parameters.level = level == 0 ? kDefaultLevel : level;
  settings.block_size_log =
      window_log != 0 ? static_cast<unsigned>(window_log) : zstd_block_size_log(settings.parameters.level);
  settings.parameters.window_log = static_cast<int>(settings.block_size_log);
  settings.parameters.long_distance = window_log != 0;
  return settings;
}

}  // namespace glyd

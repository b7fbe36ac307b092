#pragma once

#include "codec/base/status.h"

namespace glyd::cli {

// What the command says to the shell. 130 (SIGINT) and 143 (SIGTERM) are given by the handlers in signals.h.
enum class ExitCode : int {
  kOk = 0,
  kFailed = 1,   // reading, writing, names, a refusal
  kUsage = 2,    // the command line; nothing was done
  kCorrupt = 3,  // the input is damaged, cut short or not in a known format
  kLimit = 4,    // -M or --max-output
};

// The exit code of a status: its hundreds say whose fault it is (codec/base/error_list.h).
constexpr ExitCode exit_code_of(const Status& status) {
  const int number = static_cast<int>(status.code());
  if (number == 0) return ExitCode::kOk;
  if (number >= 300) return ExitCode::kLimit;
  if (number >= 200) return ExitCode::kCorrupt;
  return ExitCode::kFailed;
}

// Of several files the worst one counts: ok < failed < limit < corrupt.
constexpr ExitCode worse(ExitCode a, ExitCode b) {
  constexpr auto rank = [](ExitCode code) {
    switch (code) {
      case ExitCode::kOk:
        return 0;
      case ExitCode::kFailed:
        return 1;
      case ExitCode::kLimit:
        return 2;
      case ExitCode::kCorrupt:
        return 3;
      case ExitCode::kUsage:
        return 4;
    }
    return 4;
  };
  return rank(a) >= rank(b) ? a : b;
}

}  // namespace glyd::cli

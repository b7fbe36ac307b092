#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/codec.h"

namespace glyd::cli {

enum class Operation { kCompress, kDecompress, kTest, kList, kInfo, kBench, kCompletion, kHelp, kVersion };

// A part of the content, for --range.
struct ContentRange {
  uint64_t offset = 0;
  uint64_t length = 0;
  bool to_end = false;  // then `length` has no meaning
};

enum class Switch { kDefault, kOn, kOff };

// What the user asked for: the command line after it has been parsed and checked. Names are as they were
// given.
struct Options {
  Operation operation = Operation::kCompress;
  std::vector<std::string> files;  // empty: standard input

  int level = kDefaultLevel;
  int window_log = 0;  // --long
  std::optional<ElementType> dtype;
  unsigned threads = 0;  // 0: all processors
  uint64_t memory = 0;   // bytes; filled with half of the machine's when not given
  uint64_t max_output = Limits::kNone;

  bool to_stdout = false;
  std::string output;  // -o; empty: not given
  bool remove_input = false;
  bool force = false;
  bool recursive = false;
  bool salvage = false;
  std::optional<ContentRange> range;
  std::optional<std::string> tensor;
  Switch sparse = Switch::kDefault;

  int verbose = 0;
  int quiet = 0;
  Switch progress = Switch::kDefault;
  bool json = false;
  bool no_color = false;

  std::vector<int> bench_levels;  // as EncodeOptions::level
  unsigned bench_runs = 5;
  bool csv = false;
  bool list_tensors = false;  // info --tensors

  std::string shell;  // of completion
  std::string text;   // of kHelp and kVersion: what to print

  // Whether a part of the content is asked for, and the option that says so; nullptr for all of it.
  const char* part_option() const { return range ? "--range" : tensor ? "--tensor" : nullptr; }
  Limits limits() const { return Limits{memory, max_output}; }
};

}  // namespace glyd::cli

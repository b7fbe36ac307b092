#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/failure.h"
#include "cli/options.h"

namespace glyd::cli {

// What became of one file.
struct FileRecord {
  std::string name;
  std::string output_name;  // empty when nothing was written under a name
  Operation operation = Operation::kCompress;
  uint64_t input_bytes = 0;
  uint64_t output_bytes = 0;
  double seconds = 0;
  MaybeFailure failure;
};

// The only writer of messages: errors, warnings, notes and progress on standard error, results on standard
// output. Formats for people or, with --json, for machines. One per command.
class Report {
 public:
  // `data_on_stdout`: content goes to standard output, so everything else stays away from it.
  Report(const Options& options, bool data_on_stdout);
  ~Report();
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  // What is wrong with the command line.
  void usage_error(std::string_view text);
  // "glyd: NAME: TEXT" on standard error.
  void error(std::string_view name, std::string_view text);
  void warning(std::string_view name, std::string_view text);
  // For those who asked with -v.
  void note(std::string_view name, std::string_view text);

  // Ends the story of a file: the summary line, the error, or its JSON object.
  void finished(const FileRecord& record);

  // Progress of the file in hand, drawn at most ten times a second. `total`: bytes to come in; 0 when
  // unknown.
  void begin_progress(std::string_view name, uint64_t total);
  void progress(uint64_t bytes_in, uint64_t bytes_out);
  void end_progress();

  // Results (tables, trees, scripts) for standard output. Returns what went wrong.
  MaybeFailure print(std::string_view text);

  // A JSON object, where JSON goes.
  void print_json(std::string_view object);

 private:
  using Clock = std::chrono::steady_clock;

  void line(std::string_view label, const char* color, std::string_view name, std::string_view text);
  void draw(Clock::time_point now, uint64_t bytes_in, uint64_t bytes_out);
  bool humans_read_stderr() const { return !(json_ && data_on_stdout_); }
  std::string summary(const FileRecord& record) const;
  std::string json(const FileRecord& record) const;

  const int verbose_;
  const int quiet_;
  const bool json_;
  const bool data_on_stdout_;
  bool colored_ = false;
  bool wants_progress_ = false;

  std::string name_;
  uint64_t total_ = 0;
  Clock::time_point begun_;
  Clock::time_point next_draw_;
  bool active_ = false;
  bool drawn_ = false;
};

}  // namespace glyd::cli

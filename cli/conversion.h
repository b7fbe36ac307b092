#pragma once

#include <string>

#include "cli/failure.h"
#include "cli/input_file.h"
#include "cli/options.h"
#include "cli/report.h"
#include "codec/stream/byte_source.h"

// What compressing, restoring and testing have in common: files in, files out, one after the other.
namespace glyd::cli {

// Counts what goes through and shows it.
class Meter {
 public:
  explicit Meter(Report& report) : report_(report) {}
  void operator()(uint64_t bytes_in, uint64_t bytes_out) {
    bytes_in_ = bytes_in;
    bytes_out_ = bytes_out;
    report_.progress(bytes_in, bytes_out);
  }
  uint64_t bytes_in() const { return bytes_in_; }
  uint64_t bytes_out() const { return bytes_out_; }

 private:
  Report& report_;
  uint64_t bytes_in_ = 0;
  uint64_t bytes_out_ = 0;
};

// How one input becomes one output.
class Conversion {
 public:
  virtual ~Conversion() = default;
  // Whether a file met in a folder with --recursive is meant.
  virtual bool wants(const std::string& name) const = 0;
  // The name of the output when the user gave none. `force`: what can be accepted is.
  virtual MaybeFailure output_name(const std::string& input, bool force, std::string& output) const = 0;
  // The output is binary and not for a terminal.
  virtual bool is_binary() const = 0;
  // The output may have holes.
  virtual bool may_have_holes() const = 0;
  virtual MaybeFailure convert(InputFile& input, ByteSink& sink, Meter& meter) = 0;
  // Asked after convert() succeeded: what is wrong with an output that is kept all the same.
  virtual MaybeFailure flaw() const { return std::nullopt; }
};

// Whether content of `options` goes to standard output.
bool data_goes_to_stdout(const Options& options);

// Runs `conversion` on every input and reports on each. One that fails does not stop the others. Returns the
// worst exit code. Does not return when standard output was closed by its reader.
ExitCode convert_files(const Options& options, Report& report, Conversion& conversion);

}  // namespace glyd::cli

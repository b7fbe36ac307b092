#pragma once

#include <memory>
#include <string>

#include "cli/failure.h"
#include "cli/input_file.h"
#include "codec/stream/file_sink.h"

namespace glyd::cli {

struct OutputPolicy {
  bool overwrite = false;
  bool holes = false;   // leave out runs of zeros
  bool binary = false;  // refuse a terminal
};

// One output. A file appears under its name only when it is complete: until then its bytes are in a file
// without a name (O_TMPFILE) or, where the file system has no such thing, in a hidden one beside the target,
// which is removed on errors and signals.
class OutputFile {
 public:
  OutputFile() = default;
  // Discards what has not been committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Refuses a name that exists unless policy.overwrite, and always a folder or `input` itself. What exists
  // and is no regular file (/dev/null, a named pipe) is written to directly.
  MaybeFailure open(const std::string& path, const InputFile& input, const OutputPolicy& policy);
  MaybeFailure open_standard_output(const OutputPolicy& policy);

  // Precondition: open.
  ByteSink& sink() { return *sink_; }

  // Ends the output and gives it its name, and the mode, times and owner of `input` when that is a regular
  // file. `durable`: the bytes are on the disk when this returns. Afterwards nothing is left to discard.
  MaybeFailure commit(const InputFile& input, bool durable);

 private:
  enum class Kind { kNone, kDirect, kUnnamed, kNamed };

  MaybeFailure check_target(const InputFile& input, bool& direct);
  MaybeFailure open_direct(int descriptor, const OutputPolicy& policy);
  MaybeFailure open_temporary(mode_t mode);
  void copy_attributes(const InputFile& input) const;
  MaybeFailure give_name();
  std::string temporary_name() const;
  void close_descriptor();

  Kind kind_ = Kind::kNone;
  std::string path_;
  std::string folder_;
  std::string temporary_;  // of kNamed, and of kUnnamed while it replaces a file
  bool overwrite_ = false;
  int descriptor_ = -1;
  bool owns_descriptor_ = false;
  std::unique_ptr<FdSink> sink_;
};

}  // namespace glyd::cli

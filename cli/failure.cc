#include "cli/failure.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace glyd::cli {
namespace {

// The GNU strerror_r returns the text, which need not be in the buffer.
std::string errno_text(int number) {
  char buffer[128];
  return strerror_r(number, buffer, sizeof buffer);
}

}  // namespace

Failure failure_of(const Status& status) {
  Failure failure{exit_code_of(status), status.text(), status.system_error() == EPIPE};
  if (status.code() == Code::kIo && status.system_error() != 0) {
    failure.text = fmt::format("{}: {}", status.detail(), errno_text(status.system_error()));
  } else if (status.code() == Code::kNotGlyd) {
    failure.text = "not a glyd file, nor one of another format that -d reads";
  } else if (status.code() == Code::kSizeMismatch) {
    failure.text = "it changed while it was read; try again when nobody writes to it";
  } else if (status.code() == Code::kMemoryLimit) {
    failure.text += "; a higher one can be given with -M";
  } else if (status.code() == Code::kOutputLimit) {
    failure.text += "; a higher one can be given with --max-output";
  } else if (status.code() == Code::kNotSeekable) {
    failure.text += "; this needs a file on a disk, not a pipe";
  }
  return failure;
}

Failure failure_of_glyd_file(const Status& status) {
  Failure failure = failure_of(status);
  if (status.code() == Code::kCorrupt || status.code() == Code::kChecksumMismatch ||
      status.code() == Code::kTruncated) {
    failure.text += "; -d --salvage restores what is whole";
  }
  return failure;
}

Failure system_failure(const std::string& what, int error_number) {
  const std::string text = errno_text(error_number);
  return Failure{ExitCode::kFailed, what.empty() ? text : fmt::format("could not {}: {}", what, text), false};
}

}  // namespace glyd::cli

#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "cli/printable_text.h"
#include "cli/signals.h"

namespace glyd::cli {
namespace {

// Until the input's mode is set, nobody else may read what the input's mode may hide.
constexpr mode_t kPrivateMode = 0600;
constexpr mode_t kCommonMode = 0666;

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string proc_path(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

Failure cannot_write(const std::string& path, int error_number) {
  return system_failure("write " + printable(path), error_number);
}

}  // namespace

OutputFile::~OutputFile() {
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    forget_temporary();
  }
  close_descriptor();
}

void OutputFile::close_descriptor() {
  if (owns_descriptor_) ::close(descriptor_);
  descriptor_ = -1;
  owns_descriptor_ = false;
}

MaybeFailure OutputFile::open_direct(int descriptor, const OutputPolicy& policy) {
  kind_ = Kind::kDirect;
  descriptor_ = descriptor;
  if (policy.binary && !policy.overwrite && ::isatty(descriptor) == 1) {
    return Failure{ExitCode::kFailed,
                   "compressed bytes are not for a terminal; redirect the output, use -o, or force it with -f"};
  }
  const bool holes = policy.holes && FdSink::can_have_holes(descriptor);
  sink_ = std::make_unique<FdSink>(descriptor, holes ? FdSink::Zeros::kHoles : FdSink::Zeros::kWrite);
  return std::nullopt;
}

MaybeFailure OutputFile::open_standard_output(const OutputPolicy& policy) {
  path_ = "standard output";
  return open_direct(STDOUT_FILENO, policy);
}

MaybeFailure OutputFile::open(const std::string& path, const InputFile& input, const OutputPolicy& policy) {
  path_ = path;
  overwrite_ = policy.overwrite;
  bool direct = false;
  if (MaybeFailure failure = check_target(input, direct)) return failure;
  if (direct) {
    const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return cannot_write(path_, errno);
    owns_descriptor_ = true;
    return open_direct(descriptor, policy);
  }
  folder_ = folder_of(path_);
  if (MaybeFailure failure = open_temporary(input.is_regular() ? kPrivateMode : kCommonMode)) return failure;
  sink_ = std::make_unique<FdSink>(descriptor_, policy.holes ? FdSink::Zeros::kHoles : FdSink::Zeros::kWrite);
  return std::nullopt;
}

// Looks at what already has the name. Sets `direct` when it is to be written to as it is.
MaybeFailure OutputFile::check_target(const InputFile& input, bool& direct) {
  struct stat info {};
  if (::lstat(path_.c_str(), &info) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return cannot_write(path_, errno);
  }
  const bool is_link = S_ISLNK(info.st_mode);
  const bool dangling = is_link && ::stat(path_.c_str(), &info) != 0;
  if (!dangling && S_ISDIR(info.st_mode)) {
    return Failure{ExitCode::kFailed, fmt::format("{} is a folder", printable(path_))};
  }
  if (!dangling && info.st_dev == input.info().st_dev && info.st_ino == input.info().st_ino) {
    return Failure{ExitCode::kFailed, "input and output are the same file"};
  }
  if (!dangling && !S_ISREG(info.st_mode)) {
    direct = true;
    return std::nullopt;
  }
  if (!overwrite_) {
    return Failure{ExitCode::kFailed, fmt::format("{} exists; use -f to overwrite it", printable(path_))};
  }
  // A link stays a link: what it points to is replaced.
  if (is_link && !dangling) {
    if (char* real = ::realpath(path_.c_str(), nullptr)) {
      path_ = real;
      std::free(real);
    }
  }
  return std::nullopt;
}

std::string OutputFile::temporary_name() const {
  uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) random = static_cast<uint64_t>(::getpid());
  return fmt::format("{}/.glyd-{:016x}", folder_, random);
}

MaybeFailure OutputFile::open_temporary(mode_t mode) {
  descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  // Without /proc there would be no way to give it a name.
  if (descriptor_ >= 0 && ::access(proc_path(descriptor_).c_str(), F_OK) == 0) {
    kind_ = Kind::kUnnamed;
    owns_descriptor_ = true;
    return std::nullopt;
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  temporary_ = temporary_name();
  register_temporary(temporary_.c_str());
  descriptor_ = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
  if (descriptor_ < 0) {
    const int error_number = errno;
    temporary_.clear();
    forget_temporary();
    return cannot_write(path_, error_number);
  }
  kind_ = Kind::kNamed;
  owns_descriptor_ = true;
  return std::nullopt;
}

// Failing to set an attribute is no reason to lose the output. A mode is made narrower where the owner it was
// meant for can't be given.
void OutputFile::copy_attributes(const InputFile& input) const {
  const struct stat& from = input.info();
  mode_t mode = from.st_mode & 07777;
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) return;
  if (now.st_uid != from.st_uid || now.st_gid != from.st_gid) {
    const bool given = ::geteuid() == 0 && ::fchown(descriptor_, from.st_uid, from.st_gid) == 0;
    if (!given) {
      const bool group_given =
          now.st_gid == from.st_gid || ::fchown(descriptor_, static_cast<uid_t>(-1), from.st_gid) == 0;
      mode &= 01777;  // set-user-id of another user would be a different thing
      // Another group gets no more than everybody has.
      if (!group_given) mode &= ((mode & 07) << 3) | ~mode_t{070};
    }
  }
  (void)::fchmod(descriptor_, mode);
  const timespec times[2] = {from.st_atim, from.st_mtim};
  (void)::futimens(descriptor_, times);
}

MaybeFailure OutputFile::give_name() {
  const std::string unnamed = proc_path(descriptor_);
  if (kind_ == Kind::kUnnamed && !overwrite_) {
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) == 0) return std::nullopt;
    return cannot_write(path_, errno);
  }
  if (kind_ == Kind::kUnnamed) {
    temporary_ = temporary_name();
    register_temporary(temporary_.c_str());
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return cannot_write(path_, errno);
    }
  }
  if (overwrite_) {
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) return cannot_write(path_, errno);
  } else if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno != EINVAL && errno != ENOSYS) return cannot_write(path_, errno);
    // A file system without the flag: link() does not replace either.
    if (::link(temporary_.c_str(), path_.c_str()) == 0) {
      ::unlink(temporary_.c_str());
    } else if (errno == EEXIST || ::access(path_.c_str(), F_OK) == 0 ||
               ::rename(temporary_.c_str(), path_.c_str()) != 0) {
      return cannot_write(path_, errno);
    }
  }
  temporary_.clear();
  forget_temporary();
  return std::nullopt;
}

MaybeFailure OutputFile::commit(const InputFile& input, bool durable) {
  if (const Status status = sink_->close(); !status.ok()) return failure_of(status);
  if (kind_ == Kind::kDirect) {
    const int descriptor = descriptor_;
    const bool close_it = owns_descriptor_;
    owns_descriptor_ = false;
    if (close_it && ::close(descriptor) != 0) return cannot_write(path_, errno);
    return std::nullopt;
  }
  if (input.is_regular()) copy_attributes(input);
  if (durable && ::fsync(descriptor_) != 0) return cannot_write(path_, errno);
  // Some file systems tell only on close() that a write has failed, but an unnamed file would be gone with it: closing
  // a copy of the descriptor asks the same question.
  const int closed = kind_ == Kind::kNamed ? descriptor_ : ::dup(descriptor_);
  if (kind_ == Kind::kNamed) owns_descriptor_ = false;
  if (closed >= 0 && ::close(closed) != 0) return cannot_write(path_, errno);
  if (MaybeFailure failure = give_name()) return failure;
  if (durable) {
    const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
      (void)::fsync(folder);
      ::close(folder);
    }
  }
  return std::nullopt;
}

}  // namespace glyd::cli

#include "cli/input_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "cli/file_names.h"

namespace glyd::cli {
namespace {

// Below this the kernel's own read-ahead has the whole file at once.
constexpr off_t kAdviseFrom = 256 * 1024;

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

Failure refused(const char* text) {
  return Failure{ExitCode::kFailed, text};
}

}  // namespace

InputFile::~InputFile() {
  if (descriptor_ >= 0 && !is_standard_) ::close(descriptor_);
}

MaybeFailure InputFile::open(const std::string& name, const InputPolicy& policy) {
  name_ = name;
  if (name == kStandardStream) {
    is_standard_ = true;
    descriptor_ = STDIN_FILENO;
    if (::fstat(descriptor_, &info_) != 0) return system_failure("", errno);
    if (S_ISDIR(info_.st_mode)) return refused("is a folder, not a file");
    return std::nullopt;
  }
  // The kind is looked at before the file is opened: opening a device or a pipe can have effects of its own.
  struct stat link {};
  if (::lstat(name.c_str(), &link) != 0) return system_failure("", errno);
  if (S_ISLNK(link.st_mode) && !policy.follow_links) {
    return refused("is a symbolic link; use -f to follow it, or -c or -o to say where the output goes");
  }
  if (::stat(name.c_str(), &info_) != 0) return system_failure("", errno);
  if (MaybeFailure failure = check_kind(policy)) return failure;
  descriptor_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | (policy.follow_links ? 0 : O_NOFOLLOW));
  if (descriptor_ < 0) return system_failure("", errno);
  if (::fstat(descriptor_, &info_) != 0) return system_failure("", errno);
  if (MaybeFailure failure = check_kind(policy)) return failure;
  if (is_regular() && info_.st_size >= kAdviseFrom) ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::nullopt;
}

MaybeFailure InputFile::check_kind(const InputPolicy& policy) const {
  if (S_ISDIR(info_.st_mode)) return refused("is a folder; use --recursive for the files in it");
  const bool device = S_ISBLK(info_.st_mode) || S_ISCHR(info_.st_mode);
  if (device) return refused("is a device; redirect it to standard input to read from it");
  if (!is_regular() && !policy.accept_pipes) {
    return refused("is not a regular file; use -c or -o to say where the output goes");
  }
  return std::nullopt;
}

std::optional<uint64_t> InputFile::remaining() const {
  if (!is_regular() || info_.st_size == 0) return std::nullopt;
  const off_t at = ::lseek(descriptor_, 0, SEEK_CUR);
  if (at < 0) return std::nullopt;
  return static_cast<uint64_t>(std::max<off_t>(info_.st_size - at, 0));
}

bool InputFile::changed() const {
  if (!is_regular()) return false;
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) return true;
  return now.st_size != info_.st_size || !same_time(now.st_mtim, info_.st_mtim);
}

MaybeFailure InputFile::remove() const {
  struct stat now {};
  if (::stat(name_.c_str(), &now) != 0) return system_failure("remove it", errno);
  if (now.st_dev != info_.st_dev || now.st_ino != info_.st_ino) {
    return refused("another file has taken its name meanwhile; it was not removed");
  }
  if (::unlink(name_.c_str()) != 0) return system_failure("remove it", errno);
  return std::nullopt;
}

}  // namespace glyd::cli

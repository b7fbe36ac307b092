#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "cli/failure.h"

namespace glyd::cli {

// What an input may be.
struct InputPolicy {
  bool follow_links = true;  // false: refuse a symbolic link
  bool accept_pipes = true;  // false: refuse a named pipe or socket, whose output would have no sensible name
};

// One input: a file, or standard input for the name "-". Open while the object lives.
class InputFile {
 public:
  InputFile() = default;
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Refuses folders, devices and what `policy` says.
  MaybeFailure open(const std::string& name, const InputPolicy& policy);

  const std::string& name() const { return name_; }
  int descriptor() const { return descriptor_; }
  bool is_standard() const { return is_standard_; }
  // A regular file on a disk, which has a size, a mode and times worth keeping.
  bool is_regular() const { return S_ISREG(info_.st_mode); }
  // As it was when the file was opened.
  const struct stat& info() const { return info_; }

  // Bytes from the present position to the end, when that can be known beforehand. A regular file of size 0
  // is not believed (files under /proc are like that).
  std::optional<uint64_t> remaining() const;

  // Whether the file has been written to since it was opened.
  bool changed() const;

  // Removes the name, if it still is this file's.
  MaybeFailure remove() const;

 private:
  MaybeFailure check_kind(const InputPolicy& policy) const;

  std::string name_;
  int descriptor_ = -1;
  bool is_standard_ = false;
  struct stat info_ {};
};

}  // namespace glyd::cli

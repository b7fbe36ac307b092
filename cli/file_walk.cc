#include "cli/file_walk.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "cli/failure.h"
#include "cli/file_names.h"

namespace glyd::cli {
namespace {

namespace fs = std::filesystem;

class Walker {
 public:
  Walker(Report& report, const std::function<bool(const std::string&)>& wanted, InputList& list)
      : report_(report), wanted_(wanted), list_(list) {}

  // Adds the files below `root`. A stack instead of recursion: folders can be nested deeper than ours would
  // reach.
  void walk(const std::string& root) {
    std::vector<std::string> folders{root};
    while (!folders.empty()) {
      const std::string folder = std::move(folders.back());
      folders.pop_back();
      std::vector<std::string> below;
      list_folder(folder, below);
      folders.insert(folders.end(), below.rbegin(), below.rend());
    }
  }

 private:
  void list_folder(const std::string& folder, std::vector<std::string>& below) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      names.push_back(at->path().string());
    }
    if (error) fail(folder, error.value());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      struct stat info {};
      if (::lstat(name.c_str(), &info) != 0) continue;  // gone meanwhile
      if (S_ISDIR(info.st_mode)) {
        below.push_back(name);
      } else if (S_ISREG(info.st_mode) && wanted_(name)) {
        list_.names.push_back(name);
      } else {
        report_.note(name, "passed over");
      }
    }
  }

  void fail(const std::string& folder, int error_number) {
    const Failure failure = system_failure("read the folder", error_number);
    report_.error(folder, failure.text);
    list_.worst = worse(list_.worst, failure.code);
  }

  Report& report_;
  const std::function<bool(const std::string&)>& wanted_;
  InputList& list_;
};

bool is_folder(const std::string& name) {
  struct stat info {};
  return name != kStandardStream && ::stat(name.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

}  // namespace

InputList list_inputs(const Options& options, Report& report, const std::function<bool(const std::string&)>& wanted) {
  InputList list;
  if (options.files.empty()) list.names.emplace_back(kStandardStream);
  Walker walker(report, wanted, list);
  for (const std::string& name : options.files) {
    if (options.recursive && is_folder(name)) {
      walker.walk(name);
    } else {
      list.names.push_back(name);
    }
  }
  return list;
}

}  // namespace glyd::cli

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/file_layout.h"
#include "cli/file_names.h"
#include "cli/file_walk.h"
#include "cli/json_object.h"
#include "cli/printable_text.h"
#include "cli/size_text.h"

namespace glyd::cli {
namespace {

constexpr const char* kCheckName = "XXH3-128";

struct Totals {
  uint64_t files = 0;
  uint64_t compressed = 0;
  uint64_t content = 0;
  uint64_t blocks = 0;
};

uint64_t block_count(const FileInfo& info) {
  uint64_t blocks = 0;
  for (const FrameInfo& frame : info.frames) blocks += frame.blocks.size();
  return blocks;
}

std::string table_line(std::string_view compressed, std::string_view content, std::string_view ratio,
                       std::string_view blocks, std::string_view check, std::string_view name) {
  return fmt::format("{:>12} {:>12} {:>8} {:>7}  {:<8}  {}\n", compressed, content, ratio, blocks, check, name);
}

std::string file_line(const Totals& file, std::string_view check, const std::string& name, bool exact) {
  const auto size = [exact](uint64_t bytes) { return exact ? fmt::format("{}", bytes) : size_text(bytes); };
  return table_line(size(file.compressed), size(file.content), ratio_text(file.content, file.compressed),
                    fmt::format("{}", file.blocks), check, name);
}

std::string json_line(const std::string& name, const FileInfo& info) {
  const double ratio =
      info.file_bytes == 0 ? 0 : static_cast<double>(info.content_size) / static_cast<double>(info.file_bytes);
  return JsonObject()
      .add("name", name)
      .add("operation", "list")
      .add("input_bytes", info.file_bytes)
      .add("output_bytes", info.content_size)
      .add("ratio", ratio, 4)
      .add("frames", uint64_t{info.frames.size()})
      .add("blocks", block_count(info))
      .add("check", kCheckName)
      .add("status", "ok")
      .text();
}

}  // namespace

ExitCode run_list(const Options& options, Report& report) {
  const InputList inputs = list_inputs(options, report, has_glyd_suffix);
  ExitCode worst = inputs.worst;
  Totals totals;
  std::string table = table_line("Compressed", "Content", "Ratio", "Blocks", "Check", "Name");
  for (const std::string& name : inputs.names) {
    FileInfo info;
    if (MaybeFailure failure = read_layout(name, "-l", LayoutDetail::kSizes, info)) {
      worst = worse(worst, failure->code);
      report_failure(report, options, name, Operation::kList, *failure);
      continue;
    }
    if (options.json) report.print_json(json_line(shown_input(name), info));
    const Totals file{1, info.file_bytes, info.content_size, block_count(info)};
    table += file_line(file, kCheckName, printable(shown_input(name)), options.verbose > 0);
    totals.files += 1;
    totals.compressed += file.compressed;
    totals.content += file.content;
    totals.blocks += file.blocks;
  }
  if (options.json || totals.files == 0) return worst;
  if (totals.files > 1) table += file_line(totals, "", fmt::format("{} files", totals.files), options.verbose > 0);
  return worse(worst, print_or_report(report, table));
}

}  // namespace glyd::cli

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "cli/commands.h"
#include "cli/file_layout.h"
#include "cli/file_names.h"
#include "cli/json_object.h"
#include "cli/printable_text.h"
#include "cli/size_text.h"
#include "cli/tensor_list.h"

namespace glyd::cli {
namespace {

// How many blocks of a frame are shown when there are more and -v was not given: the first ones and the last
// one.
constexpr size_t kShownBlocks = 8;

struct Branches {
  const char* middle;
  const char* last;
  const char* line;
};
constexpr Branches kUnicode = {"├─ ", "└─ ", "│  "};
constexpr Branches kAscii = {"|- ", "`- ", "|  "};

bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view name(value);
    return name.find("UTF-8") != std::string_view::npos || name.find("utf8") != std::string_view::npos ||
           name.find("utf-8") != std::string_view::npos;
  }
  return false;
}

// "stored", "zstd", "run-length + zstd"; ids that this program does not know as "transform 17".
std::string plan_text(const std::vector<uint32_t>& plan) {
  if (plan.empty()) return "stored";
  std::string text;
  for (const uint32_t id : plan) {
    if (!text.empty()) text += " + ";
    const char* name = transform_name(id);
    text += name != nullptr ? std::string(name) : fmt::format("transform {}", id);
  }
  return text;
}

std::string hash_text(const Hash128& hash) {
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

std::string bytes_text(uint64_t bytes) {
  return fmt::format("{} ({} bytes)", size_text(bytes), grouped(bytes));
}

class Tree {
 public:
  Tree(std::string& out, bool verbose) : out_(out), verbose_(verbose) {}

  void file(const std::string& name, const FileInfo& info) {
    out_ += fmt::format("{}: {} -> {}, ratio {}\n", printable(name), bytes_text(info.file_bytes),
                        bytes_text(info.content_size), ratio_text(info.content_size, info.file_bytes));
    for (size_t i = 0; i < info.frames.size(); ++i) {
      const bool last = i + 1 == info.frames.size() && info.skippable_frames == 0;
      frame(i + 1, info.frames[i], last);
    }
    if (info.skippable_frames > 0) {
      out_ += fmt::format("{}skippable frames: {}\n", branches_.last, info.skippable_frames);
    }
  }

 private:
  void frame(size_t number, const FrameInfo& frame, bool last) {
    out_ += fmt::format("{}frame {} at {}: {} bytes -> {} bytes, ratio {}\n", last ? branches_.last : branches_.middle,
                        number, frame.file_offset, grouped(frame.frame_bytes), grouped(frame.content_size),
                        ratio_text(frame.content_size, frame.frame_bytes));
    indent_ = last ? "   " : branches_.line;
    out_ += fmt::format("{}{}format version {}, blocks of at most {}, {} to decode one\n", indent_, branches_.middle,
                        frame.version, size_text(frame.block_size_limit), size_text(frame.decoder_memory));
    plans(frame);
    blocks(frame);
    out_ += fmt::format("{}{}XXH3-128 of the content: {}\n", indent_, branches_.last, hash_text(frame.content_hash));
  }

  void plans(const FrameInfo& frame) {
    out_ += fmt::format("{}{}plans: ", indent_, branches_.middle);
    for (size_t i = 0; i < frame.plans.size(); ++i) {
      out_ += fmt::format("{}{} {}", i == 0 ? "" : ", ", i, plan_text(frame.plans[i]));
    }
    out_ += '\n';
  }

  void blocks(const FrameInfo& frame) {
    const std::vector<BlockInfo>& all = frame.blocks;
    out_ += fmt::format("{}{}blocks: {}\n", indent_, branches_.middle, all.size());
    if (all.empty()) return;
    const std::string indent = indent_ + branches_.line;
    out_ += fmt::format("{}   {:>14} {:>14} {:>12} {:>12} {:>8}  {}\n", indent, "in file at", "content at",
                        "compressed", "content", "ratio", "plan");
    const bool shorten = !verbose_ && all.size() > kShownBlocks;
    for (size_t i = 0; i < all.size(); ++i) {
      if (shorten && i == kShownBlocks - 1) {
        out_ += fmt::format("{}{}... {} more; -v shows all\n", indent, branches_.middle, all.size() - kShownBlocks);
        i = all.size() - 1;
      }
      block(indent, all[i], frame, i + 1 == all.size());
    }
  }

  void block(const std::string& indent, const BlockInfo& block, const FrameInfo& frame, bool last) {
    const std::string plan =
        block.plan < frame.plans.size() ? plan_text(frame.plans[block.plan]) : fmt::format("plan {}", block.plan);
    out_ += fmt::format("{}{}{:>14} {:>14} {:>12} {:>12} {:>8}  {}\n", indent, last ? branches_.last : branches_.middle,
                        grouped(block.file_offset), grouped(block.content_offset), grouped(block.block_bytes),
                        grouped(block.content_size), ratio_text(block.content_size, block.block_bytes), plan);
  }

  std::string& out_;
  const bool verbose_;
  const Branches branches_ = locale_is_utf8() ? kUnicode : kAscii;
  std::string indent_;
};

template <typename Items, typename ToJson>
std::string json_array(const Items& items, ToJson to_json) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ", ";
    out += to_json(item);
  }
  return out + "]";
}

std::string frame_json(const FrameInfo& frame) {
  const auto block_json = [&](const BlockInfo& block) {
    return JsonObject()
        .add("file_offset", block.file_offset)
        .add("content_offset", block.content_offset)
        .add("block_bytes", block.block_bytes)
        .add("content_size", block.content_size)
        .add("plan", uint64_t{block.plan})
        .text();
  };
  const auto plan_json = [](const std::vector<uint32_t>& plan) { return json_string(plan_text(plan)); };
  return JsonObject()
      .add("file_offset", frame.file_offset)
      .add("frame_bytes", frame.frame_bytes)
      .add("content_offset", frame.content_offset)
      .add("content_size", frame.content_size)
      .add("version", uint64_t{frame.version})
      .add("block_size_limit", frame.block_size_limit)
      .add("decoder_memory", frame.decoder_memory)
      .add("xxh3_128", hash_text(frame.content_hash))
      .add_raw("plans", json_array(frame.plans, plan_json))
      .add_raw("blocks", json_array(frame.blocks, block_json))
      .text();
}

std::string file_json(const std::string& name, const FileInfo& info) {
  const double ratio =
      info.file_bytes == 0 ? 0 : static_cast<double>(info.content_size) / static_cast<double>(info.file_bytes);
  return JsonObject()
      .add("name", name)
      .add("operation", "info")
      .add("input_bytes", info.file_bytes)
      .add("output_bytes", info.content_size)
      .add("ratio", ratio, 4)
      .add("skippable_frames", info.skippable_frames)
      .add_raw("frames", json_array(info.frames, frame_json))
      .add("status", "ok")
      .text();
}

}  // namespace

ExitCode run_info(const Options& options, Report& report) {
  ExitCode worst = ExitCode::kOk;
  for (const std::string& name : options.files) {
    if (options.list_tensors) {
      worst = worse(worst, show_tensors(name, options, report));
      continue;
    }
    FileInfo info;
    if (MaybeFailure failure = read_layout(name, "info", LayoutDetail::kWithPlans, info)) {
      worst = worse(worst, failure->code);
      report_failure(report, options, name, Operation::kInfo, *failure);
      continue;
    }
    if (options.json) {
      report.print_json(file_json(shown_input(name), info));
      continue;
    }
    std::string out;
    Tree(out, options.verbose > 0).file(shown_input(name), info);
    worst = worse(worst, print_or_report(report, out));
  }
  return worst;
}

}  // namespace glyd::cli

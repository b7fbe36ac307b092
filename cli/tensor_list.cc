#include "cli/tensor_list.h"

#include <fmt/format.h>

#include <memory>

#include "cli/file_layout.h"
#include "cli/file_names.h"
#include "cli/input_file.h"
#include "cli/json_object.h"
#include "cli/model_content.h"
#include "cli/partial_restore.h"
#include "cli/printable_text.h"
#include "cli/size_text.h"
#include "codec/stream/file_source.h"

namespace glyd::cli {
namespace {

MaybeFailure read_tensors(const std::string& name, const Options& options, ModelMap& map) {
  InputFile input;
  if (MaybeFailure failure = input.open(name, InputPolicy())) return failure;
  if (MaybeFailure failure = refuse_foreign(input, "info --tensors")) return failure;
  FileSource file(input.descriptor());
  DecodeOptions decode;
  decode.threads = options.threads;
  decode.limits = options.limits();
  const Result<std::unique_ptr<RangeReader>> reader = RangeReader::open(file, decode);
  if (!reader.ok()) return failure_of_glyd_file(reader.status());
  return read_content_map(**reader, map);
}

// "[4096, 128]"; "[]" for a scalar. JSON, and what Python shows.
std::string shape_text(const std::vector<uint64_t>& shape) {
  std::string text = "[";
  for (const uint64_t dimension : shape) text += fmt::format("{}{}", text.size() > 1 ? ", " : "", dimension);
  return text + "]";
}

std::string type_text(ElementType type) {
  return std::string(find_element_type(static_cast<uint64_t>(type))->name);
}

// Names come last: they are as long as they like.
std::string table(const std::string& name, const ModelMap& map) {
  std::string out = fmt::format("{}: {}, {} {}\n", printable(name), model_format_name(map.format),
                                grouped(map.tensors.size()), map.tensors.size() == 1 ? "tensor" : "tensors");
  if (map.tensors.empty()) return out;
  out += fmt::format("{:>16} {:>16}  {:<12} {:<20}  {}\n", "content at", "bytes", "type", "shape", "name");
  for (const TensorEntry& tensor : map.tensors) {
    out += fmt::format("{:>16} {:>16}  {:<12} {:<20}  {}\n", grouped(tensor.offset), grouped(tensor.size),
                       printable(tensor.dtype), shape_text(tensor.shape), printable(tensor.name));
  }
  return out;
}

std::string json(const std::string& name, const ModelMap& map) {
  std::string tensors;
  for (const TensorEntry& tensor : map.tensors) {
    tensors += tensors.empty() ? "[" : ", ";
    tensors += JsonObject()
                   .add("name", tensor.name)
                   .add("dtype", tensor.dtype)
                   .add("element_type", type_text(tensor.type))
                   .add_raw("shape", shape_text(tensor.shape))
                   .add("content_offset", tensor.offset)
                   .add("bytes", tensor.size)
                   .text();
  }
  return JsonObject()
      .add("name", name)
      .add("operation", "info")
      .add("format", model_format_name(map.format))
      .add_raw("tensors", tensors.empty() ? "[]" : tensors + "]")
      .add("status", "ok")
      .text();
}

}  // namespace

ExitCode show_tensors(const std::string& name, const Options& options, Report& report) {
  ModelMap map;
  if (MaybeFailure failure = read_tensors(name, options, map)) {
    report_failure(report, options, name, Operation::kInfo, *failure);
    return failure->code;
  }
  if (!options.json) return print_or_report(report, table(shown_input(name), map));
  report.print_json(json(shown_input(name), map));
  return ExitCode::kOk;
}

}  // namespace glyd::cli

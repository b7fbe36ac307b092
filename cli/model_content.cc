#include "cli/model_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/printable_text.h"
#include "cli/size_text.h"

namespace glyd::cli {
namespace {

// The content of a glyd file as a file.
class ContentSource : public RandomAccessSource {
 public:
  explicit ContentSource(RangeReader& reader) : reader_(reader) {}
  Result<uint64_t> size() override { return reader_.info().content_size; }
  Status read_at(uint64_t offset, MutableBytes destination) override {
    const Status status = reader_.read(offset, destination);
    return status.code() == Code::kRangeOutside ? Status(Code::kTruncated) : status;
  }

 private:
  RangeReader& reader_;
};

constexpr size_t kNamesShown = 3;
// How much is looked at for a suggestion: the work grows with both.
constexpr size_t kNamesCompared = 50000;
constexpr size_t kLettersCompared = 100;

// Letters to add, remove or change to make one of the other (Wagner and Fischer 1974).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

// The names that come nearest: first those that contain what was asked for.
std::string near_names(const ModelMap& map, std::string_view wanted) {
  struct Candidate {
    bool apart;
    size_t distance;
    const std::string* name;
  };
  std::vector<Candidate> candidates;
  for (const TensorEntry& tensor : map.tensors) {
    if (candidates.size() == kNamesCompared) break;
    const bool contains = tensor.name.find(wanted) != std::string::npos;
    const std::string_view name = std::string_view(tensor.name).substr(0, kLettersCompared);
    candidates.push_back({!contains, edit_distance(name, wanted.substr(0, kLettersCompared)), &tensor.name});
  }
  const size_t shown = std::min(candidates.size(), kNamesShown);
  const auto nearer = [](const Candidate& a, const Candidate& b) {
    return a.apart != b.apart ? b.apart : a.distance != b.distance ? a.distance < b.distance : *a.name < *b.name;
  };
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(shown), candidates.end(),
                    nearer);
  std::string text;
  for (size_t i = 0; i < shown; ++i) text += (i > 0 ? ", " : "") + printable(*candidates[i].name);
  return text;
}

}  // namespace

MaybeFailure find_typed_regions(const Options& options, RandomAccessSource& file, uint64_t size,
                                EncodeOptions& encode) {
  if (options.dtype) {
    encode.regions = {{0, kUnknownSize, *options.dtype}};
    return std::nullopt;
  }
  const Result<std::optional<ModelMap>> map = read_model_map(file, size);
  if (!map.ok()) return failure_of(map.status());
  if (!map->has_value()) return std::nullopt;
  encode.regions = (*map)->regions();
  // Coding numbers takes more memory. Where that is too much, the file is one like any other.
  if (estimate(encode).threads == 0) encode.regions.clear();
  return std::nullopt;
}

MaybeFailure read_content_map(RangeReader& reader, ModelMap& map) {
  ContentSource content(reader);
  Result<std::optional<ModelMap>> read = read_model_map(content, reader.info().content_size);
  if (!read.ok()) return failure_of_glyd_file(read.status());
  if (!read->has_value()) {
    return Failure{ExitCode::kFailed,
                   "its content is no model file whose tensors could be found (safetensors, GGUF, NumPy .npy and .npz, "
                   "PyTorch)"};
  }
  map = std::move(**read);
  return std::nullopt;
}

MaybeFailure find_tensor(const ModelMap& map, const std::string& name, const TensorEntry*& tensor) {
  tensor = map.find(name);
  if (tensor != nullptr) return std::nullopt;
  if (map.tensors.empty()) {
    return Failure{ExitCode::kFailed, fmt::format("has no tensor '{}', nor any other", printable(name))};
  }
  return Failure{ExitCode::kFailed,
                 fmt::format("has no tensor '{}' among its {}; near it: {} (glyd info --tensors shows all)",
                             printable(name), grouped(map.tensors.size()), near_names(map, name))};
}

}  // namespace glyd::cli

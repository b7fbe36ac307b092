#include "codec/model/npy_reader.h"

#include <array>
#include <charconv>
#include <string_view>

#include "codec/model/array_size.h"

namespace glyd {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
// NumPy itself refuses longer ones unless it is told to trust the file.
constexpr uint64_t kMaxDictionaryBytes = uint64_t{64} << 10;
constexpr size_t kMaxDimensions = 64;

struct Descr {
  std::string_view text;
  ElementType type;
  uint32_t size;  // bytes of one element of the shape
};

// V2 is what arrays of ml_dtypes' bfloat16 are saved as, f1 those of its float8_e5m2.
constexpr std::array kDescrs = {
    Descr{"<f2", ElementType::kFp16, 2},  Descr{"<f4", ElementType::kFp32, 4},    Descr{"<f8", ElementType::kFp64, 8},
    Descr{"|i1", ElementType::kInt8, 1},  Descr{"|u1", ElementType::kInt8, 1},    Descr{"|b1", ElementType::kInt8, 1},
    Descr{"<i2", ElementType::kInt16, 2}, Descr{"<u2", ElementType::kInt16, 2},   Descr{"<i4", ElementType::kInt32, 4},
    Descr{"<u4", ElementType::kInt32, 4}, Descr{"<i8", ElementType::kInt64, 8},   Descr{"<u8", ElementType::kInt64, 8},
    Descr{"<c8", ElementType::kFp32, 8},  Descr{"<c16", ElementType::kFp64, 16},  Descr{"|V2", ElementType::kBf16, 2},
    Descr{"<V2", ElementType::kBf16, 2},  Descr{"<f1", ElementType::kFp8E5m2, 1},
};

// Takes a Python literal apart as far as the dictionary of an .npy file needs it.
class LiteralScanner {
 public:
  explicit LiteralScanner(std::string_view text) : text_(text) {}

  bool take(char wanted) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  // What stands between quotes.
  std::optional<std::string_view> string() {
    skip_space();
    if (at_ == text_.size() || !is_quote(text_[at_])) return std::nullopt;
    const size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view result = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return result;
  }

  // A number, which Python 2 may have ended with an L.
  std::optional<uint64_t> number() {
    skip_space();
    uint64_t value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) return std::nullopt;
    at_ += static_cast<size_t>(end - begin);
    take('L');
    return value;
  }

  // The text of a value, up to the comma or bracket behind it.
  std::string_view value() {
    skip_space();
    const size_t begin = at_;
    size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_quote(c)) {
        if (!string()) at_ = text_.size();
        continue;
      }
      const bool opens = c == '(' || c == '[' || c == '{';
      const bool closes = c == ')' || c == ']' || c == '}';
      if (depth == 0 && (closes || c == ',')) break;
      depth += opens ? 1 : 0;
      depth -= closes ? 1 : 0;
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  static bool is_quote(char c) { return c == '\'' || c == '"'; }
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n\f", at_), text_.size()); }

  std::string_view text_;
  size_t at_ = 0;
};

bool parse_shape(std::string_view text, std::vector<uint64_t>& shape) {
  LiteralScanner scanner(text);
  if (!scanner.take('(')) return false;
  while (!scanner.take(')')) {
    const std::optional<uint64_t> number = scanner.number();
    if (!number || shape.size() == kMaxDimensions) return false;
    shape.push_back(*number);
    if (!scanner.take(',')) return scanner.take(')');
  }
  return true;
}

// Bytes of an element, from a descr such as ">f4", "<U10" or "<M8[s]"; nothing for Python objects.
std::optional<uint64_t> element_bytes(std::string_view descr) {
  if (descr.size() < 3 || descr[1] == 'O') return std::nullopt;
  uint64_t size = 0;
  const auto [end, error] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), size);
  if (error != std::errc()) return std::nullopt;
  return descr[1] == 'U' ? checked_product(size, 4) : std::optional<uint64_t>(size);
}

// Fills dtype, type, shape and size. `rest`: bytes behind the header, or kUnknownSize; what an array takes that does
// not tell its size.
bool parse_dictionary(std::string_view text, uint64_t rest, TensorEntry& tensor) {
  LiteralScanner scanner(text);
  std::string_view descr;
  bool has_shape = false;
  if (!scanner.take('{')) return false;
  bool open = !scanner.take('}');
  while (open) {
    const std::optional<std::string_view> key = scanner.string();
    if (!key || !scanner.take(':')) return false;
    const std::string_view value = scanner.value();
    if (*key == "descr" && descr.empty()) descr = value;
    if (*key == "shape" && !has_shape) {
      has_shape = parse_shape(value, tensor.shape);
      if (!has_shape) return false;
    }
    const bool comma = scanner.take(',');
    open = !scanner.take('}');
    if (open && !comma) return false;
  }
  if (descr.empty() || !has_shape) return false;
  const std::optional<std::string_view> simple = LiteralScanner(descr).string();
  tensor.dtype = simple.value_or("records");
  for (const Descr& known : kDescrs) {
    if (simple && known.text == *simple) tensor.type = known.type;
  }
  const std::optional<uint64_t> element = simple ? element_bytes(*simple) : std::nullopt;
  const std::optional<uint64_t> size = element ? array_bytes(tensor.shape, *element) : rest;
  tensor.size = size.value_or(kUnknownSize);
  return tensor.size != kUnknownSize && tensor.size <= rest;
}

}  // namespace

std::optional<TensorEntry> read_npy_array(HeaderSource& file, uint64_t begin, uint64_t end) {
  std::array<uint8_t, 12> start{};
  // Version 1 has a length of 16 bits and can be shorter than the others; its dictionary never is.
  if (end < begin || end - begin < start.size() || !file.read(begin, start)) return std::nullopt;
  if (!std::equal(kMagic.begin(), kMagic.end(), start.begin(), [](char a, uint8_t b) { return uint8_t(a) == b; })) {
    return std::nullopt;
  }
  const uint8_t version = start[kMagic.size()];
  if (version < 1 || version > 3) return std::nullopt;
  const uint64_t length = version == 1 ? load_le<uint16_t>(&start[8]) : load_le<uint32_t>(&start[8]);
  const uint64_t dictionary = begin + (version == 1 ? 10 : 12);
  if (length > kMaxDictionaryBytes || length > end - dictionary) return std::nullopt;
  std::vector<uint8_t> text(static_cast<size_t>(length));
  if (!file.read(dictionary, text)) return std::nullopt;
  TensorEntry tensor;
  tensor.offset = dictionary + length;
  const std::string_view view(reinterpret_cast<const char*>(text.data()), text.size());
  const uint64_t rest = end == kUnknownSize ? kUnknownSize : end - tensor.offset;
  if (!parse_dictionary(view, rest, tensor)) return std::nullopt;
  return tensor;
}

std::optional<ModelMap> read_npy(HeaderSource& file) {
  std::optional<TensorEntry> tensor = read_npy_array(file, 0, file.size());
  if (!tensor) return std::nullopt;
  tensor->name = "array";
  ModelMap map;
  map.format = ModelFormat::kNpy;
  map.tensors.push_back(std::move(*tensor));
  return map;
}

}  // namespace glyd

#include "codec/transform/tensor/offset_text.h"

#include <cstring>
#include <optional>
#include <string_view>

namespace glyd::tensor {
namespace {

constexpr std::string_view kKey = "\"data_offsets\":[";

// Where the next key in `text` ends, from `at` on; the end of the text when there is none.
size_t after_key(Bytes text, size_t at) {
  const void* found = memmem(text.data() + at, text.size() - at, kKey.data(), kKey.size());
  if (found == nullptr) return text.size();
  return static_cast<size_t>(static_cast<const uint8_t*>(found) - text.data()) + kKey.size();
}

// A decimal number as JSON writes it and its length; 18 digits at most, so that sums fit 64 bits.
struct Number {
  uint64_t value;
  size_t size;
};
std::optional<Number> parse_number(Bytes text, size_t at) {
  Number number{0, 0};
  while (at + number.size < text.size() && number.size < 19) {
    const uint8_t digit = text[at + number.size];
    if (digit < '0' || digit > '9') break;
    number.value = number.value * 10 + (digit - '0');
    ++number.size;
  }
  const bool has_extra_zero = number.size > 1 && text[at] == '0';
  if (number.size == 0 || number.size == 19 || has_extra_zero) return std::nullopt;
  return number;
}

// A,B] at `at`.
struct Pair {
  uint64_t begin;
  uint64_t end;
  size_t size;
};
std::optional<Pair> parse_pair(Bytes text, size_t at) {
  const std::optional<Number> begin = parse_number(text, at);
  if (!begin || at + begin->size >= text.size() || text[at + begin->size] != ',') return std::nullopt;
  const size_t second = at + begin->size + 1;
  const std::optional<Number> end = parse_number(text, second);
  if (!end || second + end->size >= text.size() || text[second + end->size] != ']') return std::nullopt;
  return Pair{begin->value, end->value, begin->size + end->size + 2};
}

// Puts bytes down until there is no more room.
class TextWriter {
 public:
  explicit TextWriter(MutableBytes room) : room_(room) {}
  void put(Bytes bytes) {
    full_ = full_ || bytes.size() > room_.size();
    if (full_ || bytes.empty()) return;
    std::memcpy(room_.data(), bytes.data(), bytes.size());
    room_ = room_.subspan(bytes.size());
  }
  void put_char(char character) {
    const uint8_t byte = static_cast<uint8_t>(character);
    put(Bytes(&byte, 1));
  }
  void put_number(uint64_t value) {
    uint8_t digits[20];
    uint8_t* p = digits + sizeof digits;
    do {
      *--p = static_cast<uint8_t>('0' + value % 10);
      value /= 10;
    } while (value > 0);
    put(Bytes(p, digits + sizeof digits));
  }
  bool is_exactly_full() const { return !full_ && room_.empty(); }
  size_t room_left() const { return room_.size(); }

 private:
  MutableBytes room_;
  bool full_ = false;
};

constexpr uint64_t kLargestOffset = 999'999'999'999'999'999;

}  // namespace

std::vector<uint8_t> fold_offsets(Bytes text) {
  // A fold never makes the text longer: D has no more digits than B, and + takes the place of A and the comma.
  std::vector<uint8_t> folded(text.size());
  TextWriter writer(folded);
  uint64_t last = 0;
  bool any = false;
  for (size_t at = 0; at < text.size();) {
    const size_t key_end = after_key(text, at);
    writer.put(text.subspan(at, key_end - at));
    at = key_end;
    if (at < text.size() && text[at] == '+') return {};
    const std::optional<Pair> pair = parse_pair(text, at);
    if (!pair) continue;
    if (pair->begin == last && pair->end >= pair->begin) {
      writer.put_char('+');
      writer.put_number(pair->end - pair->begin);
      writer.put_char(']');
      any = true;
    } else {
      writer.put(text.subspan(at, pair->size));
    }
    last = pair->end;
    at += pair->size;
  }
  folded.resize(any ? folded.size() - writer.room_left() : 0);
  return folded;
}

bool unfold_offsets(Bytes folded, MutableBytes text) {
  TextWriter writer(text);
  uint64_t last = 0;
  for (size_t at = 0; at < folded.size();) {
    const size_t key_end = after_key(folded, at);
    writer.put(folded.subspan(at, key_end - at));
    at = key_end;
    if (at < folded.size() && folded[at] == '+') {
      const std::optional<Number> size = parse_number(folded, at + 1);
      if (!size || size->value > kLargestOffset - last) return false;
      writer.put_number(last);
      writer.put_char(',');
      last += size->value;
      writer.put_number(last);
      at += 1 + size->size;
    } else if (const std::optional<Pair> pair = parse_pair(folded, at)) {
      writer.put(folded.subspan(at, pair->size));
      last = pair->end;
      at += pair->size;
    }
  }
  return writer.is_exactly_full();
}

}  // namespace glyd::tensor

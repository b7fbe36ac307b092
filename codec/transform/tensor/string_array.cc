#include "codec/transform/tensor/string_array.h"

#include <cstring>

namespace glyd::tensor {

WholeStrings whole_strings(Bytes content) {
  WholeStrings result;
  while (content.size() - result.size >= kLengthBytes) {
    const Bytes rest = content.subspan(result.size + kLengthBytes);
    const uint64_t length = load_le<uint64_t>(content.data() + result.size);
    if (length > rest.size()) break;
    const size_t size = static_cast<size_t>(length);
    if (size > 0 && std::memchr(rest.data(), kStringEnd, size) != nullptr) break;
    result.size += kLengthBytes + size;
    ++result.count;
  }
  return result;
}

uint8_t* strip_lengths(Bytes content, uint8_t* text) {
  while (!content.empty()) {
    const size_t size = static_cast<size_t>(load_le<uint64_t>(content.data()));
    std::memcpy(text, content.data() + kLengthBytes, size);
    text += size;
    *text++ = kStringEnd;
    content = content.subspan(kLengthBytes + size);
  }
  return text;
}

const uint8_t* restore_lengths(Bytes text, size_t count, MutableBytes content) {
  const uint8_t* from = text.data();
  const uint8_t* const text_end = from + text.size();
  for (; count > 0; --count) {
    if (from == text_end) return nullptr;
    const void* found = std::memchr(from, kStringEnd, static_cast<size_t>(text_end - from));
    if (found == nullptr) return nullptr;
    const size_t size = static_cast<size_t>(static_cast<const uint8_t*>(found) - from);
    if (content.size() < kLengthBytes || content.size() - kLengthBytes < size) return nullptr;
    store_le(content.data(), uint64_t{size});
    std::memcpy(content.data() + kLengthBytes, from, size);
    content = content.subspan(kLengthBytes + size);
    from += size + 1;
  }
  return content.empty() ? from : nullptr;
}

}  // namespace glyd::tensor

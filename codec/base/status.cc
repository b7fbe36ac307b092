#include "codec/base/status.h"

#include <cstring>

namespace glyd {

const char* code_text(Code code) {
  switch (code) {
#define GLYD_ERROR_CASE(name, number, text) \
  case Code::k##name:                       \
    return text;
    GLYD_ERROR_LIST(GLYD_ERROR_CASE)
#undef GLYD_ERROR_CASE
  }
  return "unknown error";
}

std::string Status::text() const {
  std::string line = code_text(code_);
  if (has_offset()) line += " at offset " + std::to_string(offset_);
  if (detail_ != nullptr) line += std::string(": ") + detail_;
  if (errno_ != 0) {
    char buffer[128];
    // The GNU strerror_r returns the text, which need not be in the buffer; unlike strerror it is safe with threads.
    line += std::string(": ") + strerror_r(errno_, buffer, sizeof buffer);
  }
  return line;
}

}  // namespace glyd

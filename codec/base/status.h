#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "codec/base/error_list.h"

namespace glyd {

enum class Code : int {
#define GLYD_ERROR_ENUM(name, number, text) k##name = number,
  GLYD_ERROR_LIST(GLYD_ERROR_ENUM)
#undef GLYD_ERROR_ENUM
};

// The list's text for a code; "unknown error" for a number that is not in it.
const char* code_text(Code code);

// The outcome of an operation: a code, where in the input it went wrong, and what exactly was seen there.
// A Status is small, is copied freely and owns nothing: `detail` points to a string literal.
//
// Nothing below the command throws, prints or exits; everything that can fail returns a Status or a Result.
class [[nodiscard]] Status {
 public:
  static constexpr uint64_t kNoOffset = ~uint64_t{0};

  constexpr Status() = default;
  // `detail` must be a string literal or nullptr; `offset` counts bytes from the start of the input.
  constexpr Status(Code code, const char* detail = nullptr, uint64_t offset = kNoOffset)
      : code_(code), detail_(detail), offset_(offset) {}
  // A failed system call: `number` is errno.
  static constexpr Status from_errno(int number, const char* detail) {
    Status status(Code::kIo, detail);
    status.errno_ = number;
    return status;
  }

  constexpr bool ok() const { return code_ == Code::kOk; }
  constexpr Code code() const { return code_; }
  constexpr uint64_t offset() const { return offset_; }
  constexpr bool has_offset() const { return offset_ != kNoOffset; }
  constexpr const char* detail() const { return detail_; }
  // errno of the failed system call, 0 when it was none.
  constexpr int system_error() const { return errno_; }

  // The same error placed at `offset`, for a reader that knows where its caller's bytes lie. Keeps an offset
  // that is already there.
  constexpr Status at(uint64_t offset) const {
    Status copy = *this;
    if (!copy.has_offset()) copy.offset_ = offset;
    return copy;
  }

  // One line without a newline: "the input is damaged at offset 1234: block header check".
  std::string text() const;

 private:
  Code code_ = Code::kOk;
  int errno_ = 0;
  const char* detail_ = nullptr;
  uint64_t offset_ = kNoOffset;
};

// A value or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit on purpose, so that `return value;` works
  Result(Status status) : status_(status) {}     // NOLINT: precondition: !status.ok()

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  // Precondition: ok().
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return std::move(*value_); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace glyd

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glyd::cli {

// Length in bytes of the valid UTF-8 sequence at the start of `text`; 0 when there is none. Precondition: not
// empty.
size_t utf8_length(std::string_view text);

// A file name as it may be shown: control characters and bytes that are no UTF-8 are written as \x1B, so that
// a name can't send commands to the terminal; an empty name as ''.
std::string printable(std::string_view name);

}  // namespace glyd::cli

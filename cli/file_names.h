#pragma once

#include <string>
#include <string_view>

#include "cli/failure.h"

// How the name of an output is made from the name of an input.
namespace glyd::cli {

inline constexpr std::string_view kSuffix = ".glyd";
inline constexpr std::string_view kStandardStream = "-";

// Whether `name` ends in .glyd and has something before it.
bool has_glyd_suffix(std::string_view name);

// Whether -d can make an output name of `name`: .glyd or the suffix of another format it reads.
bool has_known_suffix(std::string_view name);

// NAME.glyd -> NAME, NAME.gz -> NAME, NAME.tgz -> NAME.tar and so on. Fails for any other name, and tells the
// user to use -o.
MaybeFailure restored_name(std::string_view name, std::string& restored);

// How the name of a stream or file is shown: "-" is "standard input".
std::string shown_input(const std::string& name);

}  // namespace glyd::cli

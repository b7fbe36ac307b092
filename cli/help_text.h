#pragma once

#include <string>

namespace CLI {
class App;
}

namespace glyd::cli {

// The help of a command: usage, options by group, commands.
std::string help_text(const CLI::App& app);

// "glyd 0.1.0", and the version of the format.
std::string version_text();

}  // namespace glyd::cli

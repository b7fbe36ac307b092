// A C++11 program that uses libglyd through glyd.hpp. Exits 0 when it works.
#include <cstdio>
#include <glyd.hpp>
#include <vector>

int main() {
  std::vector<unsigned char> content(100000);
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<unsigned char>(i * i / 1000);
  std::vector<unsigned char> frame = glyd::compress(content, glyd::Options(7));
  if (glyd::decompress(frame) != content) return 1;
  glyd::Reader reader(frame.data(), frame.size());
  unsigned char part[10];
  reader.read(777, part, sizeof part);
  if (part[0] != content[777]) return 1;
  frame.resize(frame.size() - 1);
  try {
    glyd::decompress(frame);
    return 1;
  } catch (const glyd::Error& error) {
    std::printf("glyd %s: truncation found: %s\n", glyd_version(), error.what());
    return error.code() == GLYD_E_TRUNCATED ? 0 : 1;
  }
}

// A C++11 program that uses libglyd through glyd.hpp. Exits 0 when it works.
#include <cstdio>
#include <glyd.hpp>
#include <vector>

// Pumps all of `from` through an Encoder or Decoder.
template <typename Coder>
std::vector<unsigned char> pump(const std::vector<unsigned char>& from) {
  Coder coder;
  std::vector<unsigned char> to;
  std::vector<unsigned char> piece(1000);
  glyd_input input = {from.data(), from.size(), 0};
  for (bool done = false; !done;) {
    glyd_output output = {piece.data(), piece.size(), 0};
    done = coder.step(input, output, true);
    to.insert(to.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(output.position));
  }
  return to;
}

int main() {
  std::vector<unsigned char> content(100000);
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<unsigned char>(i * i / 1000);
  std::vector<unsigned char> frame = glyd::compress(content, glyd::Options(7));
  if (glyd::decompress(frame) != content) return 1;
  if (pump<glyd::Decoder>(pump<glyd::Encoder>(content)) != content) return 1;
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

#include "tests/adversarial_inputs.h"

#include <algorithm>

namespace glyd::testing {
namespace {

std::vector<uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

std::vector<uint8_t> runs_of_every_length() {
  std::vector<uint8_t> bytes;
  for (size_t length = 1; length <= 200; ++length) {
    bytes.insert(bytes.end(), length, static_cast<uint8_t>(length * 7));
    bytes.push_back(static_cast<uint8_t>(length));
  }
  return bytes;
}

std::vector<uint8_t> sparse() {
  std::vector<uint8_t> bytes(100000);
  Random random(5);
  for (int i = 0; i < 20; ++i) bytes[random.below(bytes.size())] = static_cast<uint8_t>(random.next());
  return bytes;
}

std::vector<uint8_t> mostly_runs() {
  std::vector<uint8_t> bytes(60000, 0xFF);
  const std::vector<uint8_t> text = log_text(9000, 3);
  bytes.insert(bytes.begin() + 30000, text.begin(), text.end());
  return bytes;
}

std::vector<uint8_t> long_line() {
  std::vector<uint8_t> bytes = log_text(80000, 8);
  std::replace(bytes.begin(), bytes.end(), uint8_t{10}, uint8_t{32});
  return bytes;
}

std::vector<uint8_t> counters() {
  std::vector<uint8_t> bytes;
  for (uint32_t i = 0; i < 10000; ++i) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<uint8_t>(i >> shift));
  }
  return bytes;
}

}  // namespace

std::vector<uint8_t> random_bytes(size_t size, uint64_t seed) {
  Random random(seed);
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.next());
  return bytes;
}

std::vector<uint8_t> log_text(size_t size, uint64_t seed) {
  static const char* const kWords[] = {"connection", "from", "accepted", "closed",
                                       "session",    "user", "error",    "timeout"};
  Random random(seed);
  std::string text;
  for (uint64_t line = 0; text.size() < size; ++line) {
    text += "2026-12-01T00:00:" + std::to_string(line % 60) + " host" + std::to_string(random.below(4)) + " ";
    for (uint64_t word = 0; word < 3 + random.below(5); ++word) text += std::string(kWords[random.below(8)]) + " ";
    text += "id=" + std::to_string(random.below(100000)) + "\n";
  }
  text.resize(size);
  return bytes_of(text);
}

std::vector<NamedInput> adversarial_inputs() {
  std::string crlf;
  for (int i = 0; i < 500; ++i) crlf += "name;value\r\n\r\n" + std::to_string(i) + ";\r";
  std::string invalid_utf8;
  for (int i = 0; i < 300; ++i) invalid_utf8 += "\xC3\x28\xFF\xFE\xED\xA0\x80 caf\xE9 \xF5\x80\x80\x80";
  std::string nuls("a\0b\0\0c\n\0", 8);
  for (int i = 0; i < 8; ++i) nuls += nuls;
  return {{"empty", {}},
          {"one byte", {0x42}},
          {"two equal bytes", {7, 7}},
          {"31 equal bytes", std::vector<uint8_t>(31, 1)},
          {"64 equal bytes", std::vector<uint8_t>(64, 0)},
          {"all equal", std::vector<uint8_t>(70000, 'x')},
          {"random", random_bytes(70000, 1)},
          {"random short", random_bytes(17, 2)},
          {"log text", log_text(90000, 4)},
          {"one long line", long_line()},
          {"NULs", bytes_of(nuls)},
          {"CRLF", bytes_of(crlf)},
          {"invalid UTF-8", bytes_of(invalid_utf8)},
          {"runs of every length", runs_of_every_length()},
          {"sparse", sparse()},
          {"mostly runs", mostly_runs()},
          {"counters", counters()}};
}

}  // namespace glyd::testing

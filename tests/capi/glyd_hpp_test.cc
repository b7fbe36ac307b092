#include "codec/capi/glyd.hpp"

#include <gtest/gtest.h>

#include "tests/adversarial_inputs.h"

namespace {

TEST(GlydHpp, RoundTripsAndReadsRanges) {
  const std::vector<unsigned char> content = glyd::testing::log_text(50000, 1);
  const std::vector<unsigned char> frame = glyd::compress(content, glyd::Options(19));
  EXPECT_LT(frame.size(), content.size() / 3);
  EXPECT_EQ(glyd::decompress(frame), content);
  glyd::Reader reader(frame.data(), frame.size());
  EXPECT_EQ(reader.content_size(), content.size());
  std::vector<unsigned char> part(100);
  reader.read(777, part.data(), part.size());
  EXPECT_TRUE(std::equal(part.begin(), part.end(), content.begin() + 777));
}

TEST(GlydHpp, StreamsAndThrowsWhatWentWrong) {
  const std::vector<unsigned char> content = glyd::testing::log_text(50000, 1);
  glyd::Encoder encoder;
  std::vector<unsigned char> frame(60000);
  glyd_input input{content.data(), content.size(), 0};
  glyd_output output{frame.data(), frame.size(), 0};
  EXPECT_TRUE(encoder.step(input, output, true));
  frame.resize(output.position);
  EXPECT_EQ(glyd::decompress(frame), content);
  frame.pop_back();
  try {
    glyd::decompress(frame);
    FAIL() << "a truncated frame was taken";
  } catch (const glyd::Error& error) {
    EXPECT_EQ(error.code(), GLYD_E_TRUNCATED);
    EXPECT_EQ(error.offset(), frame.size());
  }
  glyd::Options small;
  small.output_limit = 10;
  EXPECT_THROW(glyd::decompress(glyd::compress(content), small), glyd::Error);
  EXPECT_THROW(glyd::compress(content, glyd::Options(1000)), glyd::Error);
}

}  // namespace

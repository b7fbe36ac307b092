#include <gtest/gtest.h>

#include "codec/transform/tensor/offset_text.h"
#include "codec/transform/tensor/string_array.h"
#include "tests/adversarial_inputs.h"

// The text of model files: vocabularies and safetensors headers.
namespace glyd::tensor {
namespace {

using glyd::testing::NamedInput;
using glyd::testing::Random;
using ByteVector = std::vector<uint8_t>;

ByteVector bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

ByteVector string_array(const std::vector<std::string>& strings) {
  ByteVector content;
  for (const std::string& string : strings) {
    append_le(content, uint64_t{string.size()});
    content.insert(content.end(), string.begin(), string.end());
  }
  return content;
}

TEST(StringArray, LosesLengthsAndGetsThemBack) {
  Random random(1);
  for (size_t count = 1; count < 200; count += 1 + count / 3) {
    std::vector<std::string> strings(count);
    for (std::string& string : strings) {
      string.resize(random.below(count));
      for (char& character : string) character = static_cast<char>(random.below(255));
    }
    const ByteVector content = string_array(strings);
    const WholeStrings whole = whole_strings(content);
    ASSERT_EQ(whole.size, content.size());
    ASSERT_EQ(whole.count, count);
    ByteVector text(content.size() - 7 * count);
    ASSERT_EQ(strip_lengths(content, text.data()), text.data() + text.size());
    ByteVector restored(content.size());
    ASSERT_EQ(restore_lengths(text, count, restored), text.data() + text.size());
    EXPECT_EQ(restored, content);
    // What does not add up is refused.
    EXPECT_EQ(restore_lengths(text, count + 1, restored), nullptr);
    EXPECT_TRUE(count == 1 || restore_lengths(text, count - 1, restored) == nullptr);
    EXPECT_EQ(restore_lengths(text, count, MutableBytes(restored).first(restored.size() - 1)), nullptr);
    EXPECT_EQ(restore_lengths(Bytes(text).first(text.size() - 1), count, restored), nullptr);
  }
}

TEST(StringArray, StopsAtWhatIsNoString) {
  ByteVector content = string_array({"one", "", "three"});
  const size_t whole = content.size();
  append_le(content, uint64_t{4});
  for (const uint8_t byte : {'f', 'o', 'u'}) {
    EXPECT_EQ(whole_strings(content).size, whole);
    content.push_back(byte);
  }
  content.push_back(0xFF);
  EXPECT_EQ(whole_strings(content).count, 3u);
  content.back() = 'r';
  EXPECT_EQ(whole_strings(content).count, 4u);
  store_le(content.data(), ~uint64_t{0});
  EXPECT_EQ(whole_strings(content).count, 0u);
  EXPECT_EQ(whole_strings({}).count, 0u);
}

TEST(OffsetText, FoldsAsSpecified) {
  const std::string text =
      R"({"a":{"data_offsets":[0,100]},"b":{"data_offsets":[100,104]},"c":{"data_offsets":[104,104]},)"
      R"("d":{"data_offsets":[7,9]},"e":{"data_offsets":[9,12]},"f":{"data_offsets":[12, 13]}})";
  const std::string folded = R"({"a":{"data_offsets":[+100]},"b":{"data_offsets":[+4]},"c":{"data_offsets":[+0]},)"
                             R"("d":{"data_offsets":[7,9]},"e":{"data_offsets":[+3]},"f":{"data_offsets":[12, 13]}})";
  EXPECT_EQ(fold_offsets(bytes_of(text)), bytes_of(folded));
  ByteVector unfolded(text.size());
  EXPECT_TRUE(unfold_offsets(bytes_of(folded), unfolded));
  EXPECT_EQ(unfolded, bytes_of(text));
  unfolded.resize(text.size() - 1);
  EXPECT_FALSE(unfold_offsets(bytes_of(folded), unfolded));
  unfolded.resize(text.size() + 1);
  EXPECT_FALSE(unfold_offsets(bytes_of(folded), unfolded));
}

TEST(OffsetText, LeavesWhatItCannotFold) {
  for (const std::string_view text :
       {"", "no offsets", "\"data_offsets\":[", "\"data_offsets\":[0,", "\"data_offsets\":[00,1]",
        "\"data_offsets\":[1,2]", "\"data_offsets\":[0,1000000000000000000]", "\"data_offsets\":[+5]",
        "\"data_offsets\":[0,1]\"data_offsets\":[+5]"}) {
    EXPECT_TRUE(fold_offsets(bytes_of(text)).empty()) << text;
  }
  ByteVector room(200);
  for (const std::string_view text :
       {"\"data_offsets\":[+]", "\"data_offsets\":[+x]", "\"data_offsets\":[+01]",
        "\"data_offsets\":[999999999999999999,999999999999999999]\"data_offsets\":[+1]"}) {
    EXPECT_FALSE(unfold_offsets(bytes_of(text), room)) << text;
  }
}

// Pieces put together at random, so that pairs, numbers and keys are cut in every way.
TEST(OffsetText, WhatIsFoldedComesBack) {
  const std::string_view pieces[] = {
      "\"data_offsets\":[", "0",       "1",           "12", ",", "]", "[", "+", "0,12]", "12,12]", "12,99]",
      "999999999999999999", "\"data_", "offsets\":[", "}",  "x"};
  Random random(2);
  size_t folds = 0;
  for (int round = 0; round < 30000; ++round) {
    ByteVector text;
    for (uint64_t i = random.below(14); i > 0; --i) {
      const std::string_view piece = pieces[random.below(std::size(pieces))];
      text.insert(text.end(), piece.begin(), piece.end());
    }
    const ByteVector folded = fold_offsets(text);
    ByteVector unfolded(text.size());
    if (!folded.empty()) {
      ++folds;
      ASSERT_LE(folded.size(), text.size());
      ASSERT_TRUE(unfold_offsets(folded, unfolded)) << std::string(text.begin(), text.end());
      ASSERT_EQ(unfolded, text);
    }
    (void)unfold_offsets(text, unfolded);
  }
  EXPECT_GT(folds, 100u);
}

}  // namespace
}  // namespace glyd::tensor

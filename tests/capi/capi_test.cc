#include <gtest/gtest.h>

#include <cstring>

#include "codec/base/error_list.h"
#include "codec/capi/glyd.h"
#include "tests/adversarial_inputs.h"

// The C ABI as a C program sees it, through the shared library.
namespace glyd::testing {
namespace {

using ByteVector = std::vector<uint8_t>;

ByteVector compressed(const ByteVector& content, const glyd_options* options = nullptr) {
  ByteVector frame(glyd_compress_bound(content.size()));
  size_t size = 0;
  glyd_error error;
  EXPECT_EQ(glyd_compress(options, content.data(), content.size(), frame.data(), frame.size(), &size, &error), GLYD_OK)
      << error.text;
  frame.resize(size);
  return frame;
}

TEST(CApi, ErrorNumbersAreThoseOfTheList) {
  // error_list.h is CamelCase and glyd.h UPPER_CASE; tests/layering compares the names, this one the numbers.
#define GLYD_CHECK(name, number, text) EXPECT_STREQ(glyd_code_text(number), text);
  GLYD_ERROR_LIST(GLYD_CHECK)
#undef GLYD_CHECK
  EXPECT_STREQ(glyd_code_text(GLYD_E_TRUNCATED), "the input ends too early");
  EXPECT_STREQ(glyd_code_text(-5), "unknown error");
}

TEST(CApi, VersionsAgree) {
  EXPECT_STREQ(glyd_version(), GLYD_VERSION);
  EXPECT_EQ(glyd_abi_version(), GLYD_ABI_VERSION);
}

TEST(CApi, RoundTripsInMemory) {
  for (const NamedInput& input : adversarial_inputs()) {
    for (const int level : {GLYD_LEVEL_LZ4, -1, 0, 19}) {
      glyd_options options;
      glyd_options_init(&options);
      options.level = level;
      const ByteVector frame = compressed(input.bytes, &options);
      uint64_t announced = 0;
      ASSERT_EQ(glyd_content_size(frame.data(), frame.size(), &announced, nullptr), GLYD_OK);
      EXPECT_EQ(announced, input.bytes.size());
      ByteVector content(input.bytes.size());
      size_t size = 0;
      glyd_error error;
      ASSERT_EQ(glyd_decompress(nullptr, frame.data(), frame.size(), content.data(), content.size(), &size, &error),
                GLYD_OK)
          << error.text;
      EXPECT_EQ(size, input.bytes.size());
      EXPECT_EQ(content, input.bytes) << input.name;
    }
  }
}

TEST(CApi, ADestinationThatIsTooSmallIsNeverOverrun) {
  const ByteVector content = log_text(20000, 1);
  const ByteVector frame = compressed(content);
  for (const size_t capacity : {size_t{0}, size_t{1}, frame.size() - 1}) {
    ByteVector target(capacity + 8, 0xA5);
    size_t size = 0;
    EXPECT_EQ(glyd_compress(nullptr, content.data(), content.size(), target.data(), capacity, &size, nullptr),
              GLYD_E_DESTINATION_TOO_SMALL);
    EXPECT_EQ(target[capacity], 0xA5);
  }
  ByteVector target(content.size() + 7, 0xA5);
  size_t size = 0;
  EXPECT_EQ(glyd_decompress(nullptr, frame.data(), frame.size(), target.data(), content.size() - 1, &size, nullptr),
            GLYD_E_DESTINATION_TOO_SMALL);
  EXPECT_EQ(size, content.size() - 1);
  EXPECT_EQ(target[content.size() - 1], 0xA5);
}

TEST(CApi, ErrorsSayWhatAndWhere) {
  ByteVector frame = compressed(log_text(5000, 1));
  frame[frame.size() / 2] ^= 1;
  ByteVector content(5000);
  size_t size = 0;
  glyd_error error;
  const int code = glyd_decompress(nullptr, frame.data(), frame.size(), content.data(), content.size(), &size, &error);
  EXPECT_TRUE(code == GLYD_E_CORRUPT || code == GLYD_E_CHECKSUM_MISMATCH) << code;
  EXPECT_EQ(error.code, code);
  EXPECT_LT(error.offset, frame.size());
  EXPECT_NE(std::strstr(error.text, "offset"), nullptr) << error.text;
  frame[frame.size() / 2] ^= 1;
  EXPECT_EQ(glyd_decompress(nullptr, frame.data(), frame.size(), content.data(), content.size(), &size, &error),
            GLYD_OK);
  EXPECT_EQ(error.code, GLYD_OK);
  EXPECT_STREQ(error.text, "");
}

TEST(CApi, OptionsOfAnOlderCallerGetDefaultsForTheRest) {
  glyd_options options;
  glyd_options_init(&options);
  options.struct_size = offsetof(glyd_options, window_log);  // a caller that knew `level` only
  options.level = 1;
  options.window_log = 99;
  options.memory_limit = 1;
  EXPECT_FALSE(compressed(log_text(1000, 1), &options).empty());
  options.struct_size = 0;
  size_t size = 0;
  uint8_t target[100];
  EXPECT_EQ(glyd_compress(&options, "x", 1, target, sizeof target, &size, nullptr), GLYD_E_INVALID_ARGUMENT);
}

TEST(CApi, LimitsHold) {
  const ByteVector frame = compressed(ByteVector(1 << 20));
  ByteVector content(1 << 20);
  glyd_options options;
  glyd_options_init(&options);
  size_t size = 0;
  options.output_limit = (1 << 20) - 1;
  EXPECT_EQ(glyd_decompress(&options, frame.data(), frame.size(), content.data(), content.size(), &size, nullptr),
            GLYD_E_OUTPUT_LIMIT);
  glyd_options_init(&options);
  options.memory_limit = 1000;
  EXPECT_EQ(glyd_decompress(&options, frame.data(), frame.size(), content.data(), content.size(), &size, nullptr),
            GLYD_E_MEMORY_LIMIT);
  glyd_error error;
  EXPECT_EQ(glyd_encoder_new(&options, &error), nullptr);
  EXPECT_EQ(error.code, GLYD_E_MEMORY_LIMIT);
}

TEST(CApi, NullIsRefusedOrHarmless) {
  size_t size = 0;
  EXPECT_EQ(glyd_compress(nullptr, nullptr, 0, nullptr, 0, &size, nullptr), GLYD_E_DESTINATION_TOO_SMALL);
  EXPECT_EQ(glyd_compress(nullptr, "x", 1, nullptr, 0, nullptr, nullptr), GLYD_E_INVALID_ARGUMENT);
  EXPECT_EQ(glyd_content_size(nullptr, 0, nullptr, nullptr), GLYD_E_INVALID_ARGUMENT);
  EXPECT_EQ(glyd_encoder_step(nullptr, nullptr, nullptr, 0, nullptr, nullptr), GLYD_E_INVALID_ARGUMENT);
  EXPECT_EQ(glyd_reader_read(nullptr, 0, nullptr, 0, nullptr), GLYD_E_INVALID_ARGUMENT);
  EXPECT_EQ(glyd_reader_new(nullptr, nullptr, nullptr, 0, nullptr), nullptr);
  EXPECT_EQ(glyd_reader_content_size(nullptr), 0u);
  glyd_encoder_free(nullptr);
  glyd_decoder_free(nullptr);
  glyd_reader_free(nullptr);
}

}  // namespace
}  // namespace glyd::testing

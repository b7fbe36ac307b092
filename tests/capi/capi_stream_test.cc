#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "codec/capi/glyd.h"
#include "tests/adversarial_inputs.h"

namespace glyd::testing {
namespace {

using ByteVector = std::vector<uint8_t>;

// Runs `content` through a context with input and output buffers of the sizes given.
template <typename Context, typename Step>
int run(Context* context, Step step, const ByteVector& content, size_t in_size, size_t out_size, ByteVector& result) {
  glyd_error error;
  ByteVector target(out_size);
  int done = 0;
  size_t fed = 0;
  glyd_input input{content.data(), 0, 0};
  while (done == 0) {
    if (input.position == input.size) {
      const size_t size = std::min(in_size, content.size() - fed);
      input = {content.data() + fed, size, 0};
      fed += size;
    }
    glyd_output output{target.data(), target.size(), 0};
    const int code = step(context, &input, &output, fed == content.size() ? 1 : 0, &done, &error);
    result.insert(result.end(), target.begin(), target.begin() + static_cast<ptrdiff_t>(output.position));
    if (code != GLYD_OK) return code;
  }
  return GLYD_OK;
}

TEST(CApiStream, RoundTripsThroughBuffersOfAnySize) {
  const ByteVector content = log_text(3 << 20, 4);
  for (const auto& [in_size, out_size] : std::vector<std::pair<size_t, size_t>>{
           {1 << 20, 1 << 20}, {4096, 100000}, {100000, 999}, {size_t{8} << 20, size_t{8} << 20}}) {
    glyd_options options;
    glyd_options_init(&options);
    options.window_log = 20;
    options.threads = 3;
    std::unique_ptr<glyd_encoder, void (*)(glyd_encoder*)> encoder(glyd_encoder_new(&options, nullptr),
                                                                   glyd_encoder_free);
    ASSERT_NE(encoder, nullptr);
    ByteVector frame;
    ASSERT_EQ(run(encoder.get(), glyd_encoder_step, content, in_size, out_size, frame), GLYD_OK);
    std::unique_ptr<glyd_decoder, void (*)(glyd_decoder*)> decoder(glyd_decoder_new(&options, nullptr),
                                                                   glyd_decoder_free);
    ASSERT_NE(decoder, nullptr);
    ByteVector back;
    ASSERT_EQ(run(decoder.get(), glyd_decoder_step, frame, in_size, out_size, back), GLYD_OK);
    EXPECT_EQ(back, content);
  }
}

TEST(CApiStream, ASmallContentThroughBuffersOfOneByte) {
  const ByteVector content = log_text(3000, 4);
  std::unique_ptr<glyd_encoder, void (*)(glyd_encoder*)> encoder(glyd_encoder_new(nullptr, nullptr), glyd_encoder_free);
  ByteVector frame;
  ASSERT_EQ(run(encoder.get(), glyd_encoder_step, content, 1, 1, frame), GLYD_OK);
  std::unique_ptr<glyd_decoder, void (*)(glyd_decoder*)> decoder(glyd_decoder_new(nullptr, nullptr), glyd_decoder_free);
  ByteVector back;
  ASSERT_EQ(run(decoder.get(), glyd_decoder_step, frame, 1, 1, back), GLYD_OK);
  EXPECT_EQ(back, content);
}

TEST(CApiStream, ATruncatedStreamIsNeverDone) {
  const ByteVector content = log_text(3000, 4);
  ByteVector frame(glyd_compress_bound(content.size()));
  size_t size = 0;
  ASSERT_EQ(glyd_compress(nullptr, content.data(), content.size(), frame.data(), frame.size(), &size, nullptr),
            GLYD_OK);
  frame.resize(size - 1);
  std::unique_ptr<glyd_decoder, void (*)(glyd_decoder*)> decoder(glyd_decoder_new(nullptr, nullptr), glyd_decoder_free);
  ByteVector back;
  EXPECT_EQ(run(decoder.get(), glyd_decoder_step, frame, 100, 100, back), GLYD_E_TRUNCATED);
  EXPECT_EQ(back, content);  // given out, but not as done
  glyd_input input{nullptr, 0, 0};
  glyd_output output{back.data(), back.size(), 0};
  int done = 1;
  EXPECT_EQ(glyd_decoder_step(decoder.get(), &input, &output, 1, &done, nullptr), GLYD_E_TRUNCATED);
  EXPECT_EQ(done, 0);
}

struct File {
  ByteVector bytes;
  int failure = 0;
  static int read_at(void* context, uint64_t offset, void* destination, size_t size) {
    const File& file = *static_cast<File*>(context);
    if (file.failure != 0) return file.failure;
    std::memcpy(destination, file.bytes.data() + offset, size);
    return 0;
  }
};

TEST(CApiStream, ReadsRangesThroughACallback) {
  const ByteVector content = log_text(5 << 20, 9);
  glyd_options options;
  glyd_options_init(&options);
  options.window_log = 20;
  File file;
  file.bytes.resize(glyd_compress_bound(content.size()));
  size_t size = 0;
  ASSERT_EQ(
      glyd_compress(&options, content.data(), content.size(), file.bytes.data(), file.bytes.size(), &size, nullptr),
      GLYD_OK);
  file.bytes.resize(size);
  glyd_error error;
  std::unique_ptr<glyd_reader, void (*)(glyd_reader*)> reader(
      glyd_reader_new(nullptr, File::read_at, &file, size, &error), glyd_reader_free);
  ASSERT_NE(reader, nullptr) << error.text;
  EXPECT_EQ(glyd_reader_content_size(reader.get()), content.size());
  for (const uint64_t offset : {uint64_t{0}, uint64_t{1048570}, uint64_t{3000000}, uint64_t{content.size() - 20}}) {
    uint8_t part[20];
    ASSERT_EQ(glyd_reader_read(reader.get(), offset, part, sizeof part, &error), GLYD_OK) << error.text;
    EXPECT_EQ(std::memcmp(part, content.data() + offset, sizeof part), 0) << offset;
  }
  uint8_t part[20];
  EXPECT_EQ(glyd_reader_read(reader.get(), content.size() - 19, part, sizeof part, &error), GLYD_E_RANGE_OUTSIDE);
  file.failure = EIO;
  EXPECT_EQ(glyd_reader_read(reader.get(), 100, part, sizeof part, &error), GLYD_E_IO);
  EXPECT_EQ(error.system_error, EIO);
}

}  // namespace
}  // namespace glyd::testing

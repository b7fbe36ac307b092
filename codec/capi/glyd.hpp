// glyd.hpp - libglyd for C++11 and later: glyd.h with objects that free themselves and errors that are thrown.
//
//     std::vector<unsigned char> frame = glyd::compress(content);
//     std::vector<unsigned char> content = glyd::decompress(frame);
//
// Header-only over the C ABI, so that it works with any compiler and any build of the library.
#ifndef GLYD_HPP
#define GLYD_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "glyd.h"

namespace glyd {
// The library's own classes live in namespace glyd too; the inline namespace keeps the two apart for the linker.
inline namespace cxx {

// What a call failed with: what() is the text, code() a glyd_code, offset() where in the input.
class Error : public std::runtime_error {
 public:
  explicit Error(const glyd_error& error) : std::runtime_error(error.text), error_(error) {}
  int code() const noexcept { return error_.code; }
  int system_error() const noexcept { return error_.system_error; }
  std::uint64_t offset() const noexcept { return error_.offset; }

 private:
  glyd_error error_;
};

// glyd_options with its defaults set.
struct Options : glyd_options {
  Options() { glyd_options_init(this); }
  explicit Options(int level_wanted) : Options() { level = level_wanted; }
};

inline void check(int code, const glyd_error& error) {
  if (code != GLYD_OK) throw Error(error);
}

inline std::vector<unsigned char> compress(const void* content, std::size_t size, const Options& options = Options()) {
  std::vector<unsigned char> frame(glyd_compress_bound(size));
  std::size_t frame_size = 0;
  glyd_error error;
  check(glyd_compress(&options, content, size, frame.data(), frame.size(), &frame_size, &error), error);
  frame.resize(frame_size);
  return frame;
}

inline std::vector<unsigned char> compress(const std::vector<unsigned char>& content,
                                           const Options& options = Options()) {
  return compress(content.data(), content.size(), options);
}

// `options.output_limit` bounds what is allocated for a file that nobody vouches for.
inline std::vector<unsigned char> decompress(const void* frames, std::size_t size, const Options& options = Options()) {
  glyd_error error;
  std::uint64_t announced = 0;
  check(glyd_content_size(frames, size, &announced, &error), error);
  if (announced > options.output_limit) {
    error.code = GLYD_E_OUTPUT_LIMIT;
    std::string(glyd_code_text(error.code)).copy(error.text, sizeof error.text - 1);
    throw Error(error);
  }
  std::vector<unsigned char> content(static_cast<std::size_t>(announced));
  std::size_t content_size = 0;
  check(glyd_decompress(&options, frames, size, content.data(), content.size(), &content_size, &error), error);
  content.resize(content_size);
  return content;
}

inline std::vector<unsigned char> decompress(const std::vector<unsigned char>& frames,
                                             const Options& options = Options()) {
  return decompress(frames.data(), frames.size(), options);
}

// The streaming contexts; see glyd_encoder_step() for the protocol.
class Encoder {
 public:
  explicit Encoder(const Options& options = Options()) {
    glyd_error error;
    encoder_.reset(glyd_encoder_new(&options, &error));
    if (!encoder_) throw Error(error);
  }
  // True once everything has been given out.
  bool step(glyd_input& input, glyd_output& output, bool end_of_input) {
    glyd_error error;
    int done = 0;
    check(glyd_encoder_step(encoder_.get(), &input, &output, end_of_input ? 1 : 0, &done, &error), error);
    return done != 0;
  }

 private:
  struct Free {
    void operator()(glyd_encoder* encoder) const { glyd_encoder_free(encoder); }
  };
  std::unique_ptr<glyd_encoder, Free> encoder_;
};

class Decoder {
 public:
  explicit Decoder(const Options& options = Options()) {
    glyd_error error;
    decoder_.reset(glyd_decoder_new(&options, &error));
    if (!decoder_) throw Error(error);
  }
  bool step(glyd_input& input, glyd_output& output, bool end_of_input) {
    glyd_error error;
    int done = 0;
    check(glyd_decoder_step(decoder_.get(), &input, &output, end_of_input ? 1 : 0, &done, &error), error);
    return done != 0;
  }

 private:
  struct Free {
    void operator()(glyd_decoder* decoder) const { glyd_decoder_free(decoder); }
  };
  std::unique_ptr<glyd_decoder, Free> decoder_;
};

// Content at any offset of a file in memory, which must outlive the reader.
class Reader {
 public:
  Reader(const void* file, std::size_t size, const Options& options = Options()) {
    glyd_error error;
    reader_.reset(glyd_reader_new_memory(&options, file, size, &error));
    if (!reader_) throw Error(error);
  }
  std::uint64_t content_size() const { return glyd_reader_content_size(reader_.get()); }
  void read(std::uint64_t offset, void* destination, std::size_t size) {
    glyd_error error;
    check(glyd_reader_read(reader_.get(), offset, destination, size, &error), error);
  }

 private:
  struct Free {
    void operator()(glyd_reader* reader) const { glyd_reader_free(reader); }
  };
  std::unique_ptr<glyd_reader, Free> reader_;
};

}  // namespace cxx
}  // namespace glyd

#endif  // GLYD_HPP

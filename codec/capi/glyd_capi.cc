#include <algorithm>
#include <cstdio>
#include <new>

#include "codec/capi/glyd.h"
#include "codec/codec.h"

// The C interface over the facade: nothing but translation of arguments and errors. Memory for small things is
// allocated by the standard library, which throws when there is none: guarded() turns that into a code.

struct glyd_encoder {
  explicit glyd_encoder(const glyd::EncodeOptions& options) : coder(options) {}
  glyd::Encoder coder;
};

struct glyd_decoder {
  explicit glyd_decoder(const glyd::DecodeOptions& options) : coder(options) {}
  glyd::Decoder coder;
};

namespace {

using glyd::Bytes;
using glyd::Code;
using glyd::MutableBytes;
using glyd::Result;
using glyd::Status;

int report(const Status& status, glyd_error* error) {
  const int code = static_cast<int>(status.code());
  if (error != nullptr) {
    error->code = code;
    error->system_error = status.system_error();
    error->offset = status.offset();
    error->text[0] = '\0';
    if (!status.ok()) std::snprintf(error->text, sizeof error->text, "%s", status.text().c_str());
  }
  return code;
}

// Runs `call`, which returns a Status, so that no exception leaves the library.
template <typename Call>
int guarded(glyd_error* error, Call call) {
  Status status;
  try {
    status = call();
  } catch (const std::bad_alloc&) {
    status = Status(Code::kOutOfMemory);
  }
  return report(status, error);
}

// The options as this library knows them: a caller with an older, shorter struct gets defaults for the rest.
Result<glyd_options> read_options(const glyd_options* options) {
  glyd_options own;
  glyd_options_init(&own);
  if (options == nullptr) return own;
  if (options->struct_size < sizeof options->struct_size + sizeof options->level) {
    return Status(Code::kInvalidArgument, "glyd_options: struct_size is not set");
  }
  std::memcpy(static_cast<void*>(&own), options, std::min(options->struct_size, sizeof own));
  return own;
}

glyd::EncodeOptions encode_options(const glyd_options& options) {
  glyd::EncodeOptions result;
  result.level = options.level;
  result.window_log = options.window_log;
  result.threads = options.threads;
  result.content_size = options.content_size;
  result.limits = {options.memory_limit, options.output_limit};
  return result;
}

glyd::DecodeOptions decode_options(const glyd_options& options) {
  return {options.threads, {options.memory_limit, options.output_limit}};
}

Bytes bytes_of(const void* data, size_t size) {
  return {static_cast<const uint8_t*>(data), size};
}
MutableBytes bytes_of(void* data, size_t size) {
  return {static_cast<uint8_t*>(data), size};
}

// Moves bytes through an Encoder or Decoder as far as both buffers allow. Only waits for workers when nothing else
// can be done.
template <typename Coder>
Status step(Coder& coder, glyd_input& input, glyd_output& output, bool end_of_input, bool& done) {
  done = false;
  if (input.position > input.size || output.position > output.size) {
    return Status(Code::kInvalidArgument, "position beyond size");
  }
  for (;;) {
    const size_t before_in = input.position;
    const size_t before_out = output.position;
    const MutableBytes room = coder.input();
    const size_t taken = std::min(room.size(), input.size - input.position);
    if (taken > 0) {
      std::memcpy(room.data(), static_cast<const uint8_t*>(input.data) + input.position, taken);
      input.position += taken;
      if (const Status status = coder.commit(taken); !status.ok()) return status;
    }
    const bool finished = end_of_input && input.position == input.size;
    if (finished) {
      if (const Status status = coder.finish(); !status.ok()) return status;
    }
    const Result<Bytes> window = coder.output();
    if (!window.ok()) return window.status();
    const size_t given = std::min(window->size(), output.size - output.position);
    if (given > 0) {
      std::memcpy(static_cast<uint8_t*>(output.data) + output.position, window->data(), given);
      output.position += given;
      coder.consume(given);
    }
    done = finished && coder.done();
    const bool moved = input.position != before_in || output.position != before_out;
    if (done || !moved) return {};
  }
}

template <typename Coder>
int guarded_step(Coder* coder, glyd_input* input, glyd_output* output, int end_of_input, int* done, glyd_error* error) {
  if (done != nullptr) *done = 0;
  if (coder == nullptr || input == nullptr || output == nullptr || done == nullptr) {
    return report(Status(Code::kInvalidArgument, "NULL"), error);
  }
  return guarded(error, [&] {
    bool all_given = false;
    const Status status = step(coder->coder, *input, *output, end_of_input != 0, all_given);
    *done = all_given ? 1 : 0;
    return status;
  });
}

// Runs all of `content` through `coder` into `target`; *size counts what is written.
template <typename Coder>
Status run_in_memory(Coder& coder, Bytes content, MutableBytes target, size_t& size) {
  glyd_input input{content.data(), content.size(), 0};
  glyd_output output{target.data(), target.size(), 0};
  bool done = false;
  const Status status = step(coder, input, output, true, done);
  size = output.position;
  if (!status.ok()) return status;
  return done ? Status() : Status(Code::kDestinationTooSmall);
}

// A file behind the caller's function.
class CallbackSource : public glyd::RandomAccessSource {
 public:
  CallbackSource(glyd_read_at callback, void* context, uint64_t size)
      : callback_(callback), context_(context), size_(size) {}
  Result<uint64_t> size() override { return uint64_t{size_}; }
  Status read_at(uint64_t offset, MutableBytes destination) override {
    if (offset > size_ || destination.size() > size_ - offset) return Status(Code::kTruncated, nullptr, size_);
    const int failure = destination.empty() ? 0 : callback_(context_, offset, destination.data(), destination.size());
    return failure == 0 ? Status() : Status::from_errno(failure, "reading at an offset");
  }

 private:
  glyd_read_at callback_;
  void* context_;
  uint64_t size_;
};

}  // namespace

struct glyd_reader {
  std::unique_ptr<glyd::RandomAccessSource> source;
  std::unique_ptr<glyd::RangeReader> reader;
};

namespace {

glyd_reader* open_reader(const glyd_options* options, std::unique_ptr<glyd::RandomAccessSource> source,
                         glyd_error* error) {
  std::unique_ptr<glyd_reader> opened;
  guarded(error, [&]() -> Status {
    const Result<glyd_options> own = read_options(options);
    if (!own.ok()) return own.status();
    auto reader = std::make_unique<glyd_reader>();
    reader->source = std::move(source);
    auto result = glyd::RangeReader::open(*reader->source, decode_options(*own));
    if (!result.ok()) return result.status();
    reader->reader = std::move(result.value());
    opened = std::move(reader);
    return {};
  });
  return opened.release();
}

}  // namespace

extern "C" {

const char* glyd_version(void) {
  return GLYD_VERSION;
}
int glyd_abi_version(void) {
  return GLYD_ABI_VERSION;
}
const char* glyd_code_text(int code) {
  return glyd::code_text(static_cast<Code>(code));
}

void glyd_options_init(glyd_options* options) {
  *options = glyd_options{};
  options->struct_size = sizeof *options;
  options->content_size = GLYD_UNKNOWN_SIZE;
  options->memory_limit = glyd::Limits::kDefaultMemory;
  options->output_limit = glyd::Limits::kNone;
}

size_t glyd_compress_bound(size_t content_size) {
  return glyd::compress_bound(content_size);
}

int glyd_compress(const glyd_options* options, const void* content, size_t content_size, void* frame,
                  size_t frame_capacity, size_t* frame_size, glyd_error* error) {
  return guarded(error, [&]() -> Status {
    if (frame_size == nullptr) return Status(Code::kInvalidArgument, "NULL");
    *frame_size = 0;
    const Result<glyd_options> own = read_options(options);
    if (!own.ok()) return own.status();
    glyd::EncodeOptions sized = encode_options(*own);
    sized.content_size = content_size;
    glyd::Encoder encoder(sized);
    return run_in_memory(encoder, bytes_of(content, content_size), bytes_of(frame, frame_capacity), *frame_size);
  });
}

int glyd_decompress(const glyd_options* options, const void* frames, size_t frames_size, void* content,
                    size_t content_capacity, size_t* content_size, glyd_error* error) {
  return guarded(error, [&]() -> Status {
    if (content_size == nullptr) return Status(Code::kInvalidArgument, "NULL");
    *content_size = 0;
    const Result<glyd_options> own = read_options(options);
    if (!own.ok()) return own.status();
    glyd::Decoder decoder(decode_options(*own));
    return run_in_memory(decoder, bytes_of(frames, frames_size), bytes_of(content, content_capacity), *content_size);
  });
}

int glyd_content_size(const void* frames, size_t frames_size, uint64_t* content_size, glyd_error* error) {
  return guarded(error, [&]() -> Status {
    if (content_size == nullptr) return Status(Code::kInvalidArgument, "NULL");
    glyd::MemorySource source(bytes_of(frames, frames_size));
    const Result<glyd::FileInfo> info = glyd::inspect(source);
    if (!info.ok()) return info.status();
    *content_size = info->content_size;
    return {};
  });
}

glyd_encoder* glyd_encoder_new(const glyd_options* options, glyd_error* error) {
  std::unique_ptr<glyd_encoder> encoder;
  guarded(error, [&]() -> Status {
    const Result<glyd_options> own = read_options(options);
    if (!own.ok()) return own.status();
    encoder = std::make_unique<glyd_encoder>(encode_options(*own));
    const Status status = encoder->coder.status();
    if (!status.ok()) encoder.reset();
    return status;
  });
  return encoder.release();
}

void glyd_encoder_free(glyd_encoder* encoder) {
  delete encoder;
}

int glyd_encoder_step(glyd_encoder* encoder, glyd_input* input, glyd_output* output, int end_of_input, int* done,
                      glyd_error* error) {
  return guarded_step(encoder, input, output, end_of_input, done, error);
}

glyd_decoder* glyd_decoder_new(const glyd_options* options, glyd_error* error) {
  std::unique_ptr<glyd_decoder> decoder;
  guarded(error, [&]() -> Status {
    const Result<glyd_options> own = read_options(options);
    if (!own.ok()) return own.status();
    decoder = std::make_unique<glyd_decoder>(decode_options(*own));
    return {};
  });
  return decoder.release();
}

void glyd_decoder_free(glyd_decoder* decoder) {
  delete decoder;
}

int glyd_decoder_step(glyd_decoder* decoder, glyd_input* input, glyd_output* output, int end_of_input, int* done,
                      glyd_error* error) {
  return guarded_step(decoder, input, output, end_of_input, done, error);
}

glyd_reader* glyd_reader_new(const glyd_options* options, glyd_read_at read_at, void* context, uint64_t file_size,
                             glyd_error* error) {
  if (read_at == nullptr) {
    report(Status(Code::kInvalidArgument, "NULL"), error);
    return nullptr;
  }
  return open_reader(options, std::make_unique<CallbackSource>(read_at, context, file_size), error);
}

glyd_reader* glyd_reader_new_memory(const glyd_options* options, const void* file, size_t file_size,
                                    glyd_error* error) {
  return open_reader(options, std::make_unique<glyd::MemorySource>(bytes_of(file, file_size)), error);
}

void glyd_reader_free(glyd_reader* reader) {
  delete reader;
}

uint64_t glyd_reader_content_size(const glyd_reader* reader) {
  return reader == nullptr ? 0 : reader->reader->info().content_size;
}

int glyd_reader_read(glyd_reader* reader, uint64_t offset, void* destination, size_t size, glyd_error* error) {
  if (reader == nullptr) return report(Status(Code::kInvalidArgument, "NULL"), error);
  return guarded(error, [&] { return reader->reader->read(offset, bytes_of(destination, size)); });
}

}  // extern "C"

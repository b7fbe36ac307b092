#pragma once

#include <gtest/gtest.h>

#include "codec/codec.h"

// Short forms for tests of the facade.
namespace glyd::testing {

using ByteVector = std::vector<uint8_t>;

inline EncodeOptions at_level(int level, unsigned threads = 1) {
  EncodeOptions options;
  options.level = level;
  options.threads = threads;
  return options;
}

inline ByteVector compressed(Bytes content, const EncodeOptions& options = at_level(3)) {
  Result<ByteVector> frame = compress(content, options);
  EXPECT_TRUE(frame.ok()) << frame.status().text();
  return frame.ok() ? std::move(*frame) : ByteVector{};
}

// Runs `input` through a coder that is given and asked for at most `piece` bytes at a time. What comes out before an
// error is in `output`.
template <typename Coder>
Status run_in_pieces(Coder& coder, Bytes input, size_t piece, ByteVector& output) {
  while (!coder.done()) {
    const MutableBytes room = coder.input();
    const size_t size = std::min({room.size(), input.size(), piece});
    if (size > 0) {
      std::copy_n(input.begin(), size, room.begin());
      input = input.subspan(size);
      if (const Status status = coder.commit(size); !status.ok()) return status;
    } else if (input.empty()) {
      if (const Status status = coder.finish(); !status.ok()) return status;
    }
    const Result<Bytes> window = coder.output();
    if (!window.ok()) return window.status();
    const size_t taken = std::min(window->size(), piece);
    output.insert(output.end(), window->begin(), window->begin() + static_cast<ptrdiff_t>(taken));
    coder.consume(taken);
  }
  return {};
}

// Decodes as far as it goes.
inline Status decode(Bytes frames, ByteVector& content, const DecodeOptions& options = {}, size_t piece = 1 << 20) {
  content.clear();
  Decoder decoder(options);
  return run_in_pieces(decoder, frames, piece, content);
}

inline bool is_prefix(Bytes part, Bytes whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// A frame of many small blocks: the facade's own levels make none smaller than a megabyte, so this one is put
// together from the layout. Blocks are stored, but for those of all equal bytes, which are run-length coded.
ByteVector small_block_frame(Bytes content, size_t block_size, bool announce_size = true);

}  // namespace glyd::testing

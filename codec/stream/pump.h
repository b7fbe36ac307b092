#pragma once

#include <cstdint>

#include "codec/base/bytes.h"
#include "codec/base/status.h"
#include "codec/stream/byte_source.h"

// The loop between a source, an Encoder or Decoder of codec/codec.h, and a sink. Bytes are read straight into
// the coder's input window and written straight out of its output window.
namespace glyd {

// For a pump that nobody watches.
struct NoProgress {
  void operator()(uint64_t, uint64_t) const {}
};

// The most that is read at a time. The coder hashes what it is given, and that is faster while it is in the
// cache.
inline constexpr size_t kPumpReadSize = size_t{512} << 10;

// Moves everything from `source` through `coder` to `sink`, and returns when the coder is done or at the
// first error. Does not close the sink. Coder has the shape of Encoder and Decoder: input, commit, finish,
// output, consume, done.
//
// `progress(bytes_in, bytes_out)` is called after each step, often; it must be cheap.
//
// While the coder takes input, output is only looked for, not waited for, so that the workers stay fed; when
// it takes none, its output() waits for the next piece.
template <typename Coder, typename Progress = NoProgress>
Status pump(ByteSource& source, Coder& coder, ByteSink& sink, Progress&& progress = {}) {
  uint64_t bytes_in = 0;
  uint64_t bytes_out = 0;
  bool source_ended = false;
  while (!coder.done()) {
    const MutableBytes room = source_ended ? MutableBytes() : coder.input();
    if (!room.empty()) {
      const Result<size_t> got = source.read(room.first(std::min(room.size(), kPumpReadSize)));
      if (!got.ok()) return got.status();
      source_ended = *got == 0;
      const Status taken = source_ended ? coder.finish() : coder.commit(*got);
      if (!taken.ok()) return taken;
      bytes_in += *got;
    }
    // One piece at most before more is read: a worker that waits costs more than output that waits.
    const Result<Bytes> window = coder.output();
    if (!window.ok()) return window.status();
    if (!window->empty()) {
      const Status written = sink.write(*window);
      if (!written.ok()) return written;
      bytes_out += window->size();
      coder.consume(window->size());
    } else if (room.empty() && !coder.done()) {
      return Status(Code::kWrongOrder, "the coder takes no input and gives no output");
    }
    progress(bytes_in, bytes_out);
  }
  return {};
}

}  // namespace glyd

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codec/base/bytes.h"
#include "codec/base/element_type.h"
#include "codec/base/hash.h"
#include "codec/base/limits.h"
#include "codec/base/status.h"
#include "codec/plan/level.h"
#include "codec/stream/byte_source.h"

// The facade of the codec: what the command, the C ABI and the other modules (columnar, delta) use, and all they
// use. Encoder and Decoder are pumps: bytes go in, blocks are worked on by a thread pool, bytes come out in order.
//
//     Encoder encoder(options);                        Decoder decoder(options);
//     while there is input or the encoder is not done: the same, with the decoder
//       encoder.input() -> fill some of it -> encoder.commit(n)      (or encoder.finish() at the end of input)
//       encoder.output() -> take some of it -> encoder.consume(n)
//
// pump() in codec/stream/pump.h is that loop between a source and a sink. FORMAT.md specifies the bytes.
namespace glyd {

struct EncodeOptions {
  // -kMaxFast ... kMaxLevel or kLevelLz4; 0 stands for kDefaultLevel.
  int level = 0;
  // log2 of the distance over which repetitions are found, kMinWindowLog ... kMaxWindowLog; 0: what the level
  // says. It also sets the block size, and with it the memory that encoder and decoder need.
  int window_log = 0;
  // Worker threads; 0: one for each processor. The bytes written do not depend on it.
  unsigned threads = 0;
  // Bytes that will be written, when the caller knows; finish() fails when it was another number.
  uint64_t content_size = kUnknownSize;
  // Where in the content there are numbers of known types, in order and without overlap; the size of the last may be
  // kUnknownSize: to the end. Empty: the encoder looks at its first block for the header of a model file.
  std::vector<TypedRegion> regions;
  Limits limits;

  static constexpr uint64_t kUnknownSize = ~uint64_t{0};
};

struct DecodeOptions {
  unsigned threads = 0;
  Limits limits;
};

// Whether `options` are in range; the encoder checks this too.
Status validate(const EncodeOptions& options);

// The number of workers an encoder with these options will use, and its memory at peak, in bytes, about.
struct ResourceEstimate {
  unsigned threads = 0;
  uint64_t memory = 0;
};
ResourceEstimate estimate(const EncodeOptions& options);

// Content in, one frame out.
class Encoder {
 public:
  explicit Encoder(const EncodeOptions& options);
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  // The free part of the block being filled: write content there, then commit(). Empty while output must be taken
  // first, after finish(), and after an error.
  MutableBytes input();
  // Takes the first `size` bytes of input(). Errors: kWrongOrder when there are not so many.
  Status commit(size_t size);
  // Says that no more content comes. Errors: kSizeMismatch when options.content_size promised another size.
  Status finish();

  // Frame bytes that are ready: waits for a worker only when nothing else can go on (input() is empty). Empty when
  // more input is needed or all is done. The window stays valid until consume() or output() is called.
  Result<Bytes> output();
  void consume(size_t size);
  // All frame bytes have been taken.
  bool done() const;

  // The first error; every call after it returns it again.
  const Status& status() const;

  uint64_t content_bytes() const;  // taken in so far
  uint64_t frame_bytes() const;    // given out so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One or more frames in, content out. Everything FORMAT.md asks of a decoder is checked.
class Decoder {
 public:
  explicit Decoder(const DecodeOptions& options);
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // A place to write frame bytes to; then commit(). Empty while output must be taken first and after an error.
  MutableBytes input();
  Status commit(size_t size);
  // Says that no more bytes come.
  Status finish();

  // Content that is ready, in order. An error is returned when all content before it has been taken: kNotGlyd,
  // kUnsupportedVersion, kUnsupportedFeature, kTruncated, kCorrupt, kChecksumMismatch, kTrailingData, kBaseNeeded,
  // kMemoryLimit, kOutputLimit, kOutOfMemory, with the offset in the input.
  Result<Bytes> output();
  void consume(size_t size);
  bool done() const;
  const Status& status() const;

  uint64_t frame_bytes() const;    // taken in so far
  uint64_t content_bytes() const;  // given out so far
  // Content size of the frame being read, once its header has been read and if it says so.
  uint64_t content_size() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What a file holds, from its headers and seek tables; nothing is decoded.
struct BlockInfo {
  uint64_t file_offset = 0;     // of the block's header in the file
  uint64_t content_offset = 0;  // in the content of the whole file
  uint64_t content_size = 0;
  uint64_t block_bytes = 0;  // with header
  uint32_t plan = 0;         // index into FrameInfo::plans; 0 when inspect() did not read block headers
};

struct FrameInfo {
  uint64_t file_offset = 0;
  uint64_t frame_bytes = 0;
  uint64_t content_offset = 0;
  uint64_t content_size = 0;
  uint64_t block_size_limit = 0;
  uint64_t decoder_memory = 0;  // to decode one block, all included
  uint32_t version = 0;
  Hash128 content_hash;
  std::vector<std::vector<uint32_t>> plans;  // transform ids; plans[0] is empty: stored
  std::vector<BlockInfo> blocks;
};

struct FileInfo {
  uint64_t file_bytes = 0;
  uint64_t content_size = 0;
  uint64_t skippable_frames = 0;
  std::vector<FrameInfo> frames;
};

// Reads the layout of a whole file: of each frame the header and the seek table, and with `block_headers` the header
// of every block, for BlockInfo::plan. Errors: as a decoder's for what it looks at.
Result<FileInfo> inspect(RandomAccessSource& file, bool block_headers = false);

// The stable name of a transform ("zstd", "run-length", "lz4"), or nullptr.
const char* transform_name(uint32_t id);

// Reads content at any offset through the seek table, decoding only the blocks that hold it.
class RangeReader {
 public:
  // `file` must outlive the reader.
  static Result<std::unique_ptr<RangeReader>> open(RandomAccessSource& file, const DecodeOptions& options);
  ~RangeReader();
  RangeReader(const RangeReader&) = delete;
  RangeReader& operator=(const RangeReader&) = delete;

  const FileInfo& info() const;
  // Fills `destination` from content offset `offset`. Errors: kRangeOutside when the content ends before the
  // destination is full; else as a decoder's.
  Status read(uint64_t offset, MutableBytes destination);
  // A window onto content from `offset` to at most the end of its block; empty at the end of the content. Valid
  // until the next call.
  Result<Bytes> window(uint64_t offset);

 private:
  struct State;
  explicit RangeReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What salvage() found: the content that is whole, and what is missing.
struct SalvageReport {
  struct Gap {
    uint64_t content_offset = 0;  // in the content that is written out
    uint64_t size = 0;            // bytes; zeros stand in their place, but for what is lost at the end of a file
    uint64_t file_offset = 0;     // where the damage was met
    bool size_known = true;       // false: nothing tells how much content was there
  };
  uint64_t content_bytes = 0;  // bytes of whole blocks
  uint64_t blocks = 0;
  std::vector<Gap> gaps;
  bool whole() const { return gaps.empty(); }
};

// Decodes every block of `file` that is whole, damaged or not around it, to `sink`; lost content that lies between
// whole blocks of a frame is written as zeros, so that offsets stay right. Errors: those of `file` and `sink`, and
// limits; damage is in the report.
Result<SalvageReport> salvage(RandomAccessSource& file, ByteSink& sink, const DecodeOptions& options);

// The most bytes that a frame of `content_size` bytes of content takes, with any options.
size_t compress_bound(size_t content_size);

// One-shot, for content that is in memory.
Result<std::vector<uint8_t>> compress(Bytes content, const EncodeOptions& options = {});
Result<std::vector<uint8_t>> decompress(Bytes frames, const DecodeOptions& options = {});

}  // namespace glyd

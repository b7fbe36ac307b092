#pragma once

#include "codec/base/buffer.h"
#include "codec/base/bytes.h"
#include "codec/base/status.h"
#include "codec/entropy/huffman/huffman_block.h"
#include "codec/entropy/rans/rans_block.h"
#include "codec/transform/transform.h"

// The streams of the tensor transform: bytes by themselves, each coded in the way that takes the fewest. spec.md,
// "Streams".
namespace glyd::tensor {

enum class Coding : uint8_t { kStored = 0, kOneValue = 1, kRans = 2, kHuffman = 3, kZstd = 4 };

// Puts data down until there is no more room; then it only remembers that.
class DataWriter {
 public:
  explicit DataWriter(MutableBytes room) : room_(room) {}
  void put_byte(uint8_t byte) { put_bytes(Bytes(&byte, 1)); }
  void put_varint(uint64_t value);
  void put_bytes(Bytes bytes);
  bool full() const { return full_; }
  size_t size() const { return size_; }
  // Takes back all that was written after size() was `size`.
  void rewind(size_t size) {
    size_ = size;
    full_ = false;
  }

 private:
  MutableBytes room_;
  size_t size_ = 0;
  bool full_ = false;
};

// What streams are coded with, for one worker.
struct StreamMemory {
  Buffer coded;
  rans::DecodeTable rans;
  huffman::DecodeTable huffman;
};

// How hard to try: kHuffman decodes faster, where there is no SIMD for rANS several times; kRans takes up to 2% less;
// kRansAlways also where it gains less than 1% over storing the bytes.
enum class Effort { kHuffman, kRans, kRansAlways };

// Writes `stream` by its bytes' frequencies. Errors: kOutOfMemory; no room is the writer's to say. Precondition: it is not
// empty.
Status write_field_stream(Bytes stream, Effort effort, StreamMemory& memory, DataWriter& writer);

// Writes `stream` as zstd data, or as it is when that is not larger. Errors: as above.
Status write_zstd_stream(Bytes stream, const StepParameters& parameters, StreamMemory& memory, Workspace& workspace,
                         DataWriter& writer);

// Reads a stream of `size` bytes. They are in the result: in the data itself when stored, else in `room`, which has `size`
// bytes. Errors: kCorrupt, kOutOfMemory.
Result<const uint8_t*> read_stream(ByteReader& data, MutableBytes room, StreamMemory& memory, Workspace& workspace);

}  // namespace glyd::tensor

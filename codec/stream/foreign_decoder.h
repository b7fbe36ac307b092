#pragma once

#include <memory>

#include "codec/base/bytes.h"
#include "codec/base/limits.h"
#include "codec/base/status.h"
#include "codec/stream/byte_source.h"

// What ForeignSource needs to know about a format. Private to codec/stream.
//
// The formats are read through their own libraries, except bzip2, which is read through Boost.Iostreams. An
// experiment with the filters of Boost 1.74 decided it (every truncation and every bit flip of a small file,
// concatenated members, padding, garbage at the end, large windows):
//   gzip   zeros after the last member are refused, which gzip(1) allows; the header's checksum is not looked at;
//          a cut header and garbage at the end give the same error
//   bzip2  right in all cases, whatever the sizes of buffers and reads: used
//   xz     100 MiB of memory whatever the limit is; no .lzma
//   zstd   94 of 94 truncations taken for a whole file; 128 MiB of memory whatever the limit is
//   lz4    there is no such filter
namespace glyd {

inline constexpr uint8_t kGzipMagic[] = {0x1F, 0x8B};
inline constexpr uint8_t kXzMagic[] = {0xFD, '7', 'z', 'X', 'Z', 0x00};
inline constexpr uint8_t kZstdMagic[] = {0x28, 0xB5, 0x2F, 0xFD};
inline constexpr uint8_t kLz4Magic[] = {0x04, 0x22, 0x4D, 0x18};

// Whether bytes are the start of a member.
enum class MemberStart {
  kYes,
  kCut,  // so far they are, but there are too few of them
  kNo,
};

// Compares the first bytes of what may be a member with a magic number.
MemberStart match_magic(Bytes head, Bytes magic);
// The same for the sixteen magic numbers of skippable frames, which zstd and lz4 share.
MemberStart match_skippable(Bytes head);

// What may stand between and after members.
enum class Padding {
  kNothing,
  kZerosAtEnd,   // zeros, up to the end of the input
  kZerosInFours  // zeros, a multiple of four of them
};

// Decodes members (gzip's word; streams, frames) of one format, one after the other.
class ForeignDecoder {
 public:
  // As many bytes as member_start() and begin() look at: the longest header of a zstd frame.
  static constexpr size_t kHeadSize = 18;

  struct Step {
    size_t taken = 0;    // bytes of input
    size_t written = 0;  // bytes of output
    bool member_ended = false;
  };

  virtual ~ForeignDecoder() = default;

  virtual Padding padding() const { return Padding::kNothing; }
  // Whether more members may follow the first.
  virtual bool may_repeat() const { return true; }
  // As many of the input's last bytes as a step must get together; 0 when the library does not mind where its
  // input is divided.
  virtual size_t undivided_tail() const { return 0; }
  // `head`: the next kHeadSize bytes, fewer at the end of the input, at least one.
  virtual MemberStart member_start(Bytes head) const = 0;
  // Gets ready for the member that begins with `head`. It may use `memory` bytes. Errors: kMemoryLimit,
  // kOutOfMemory.
  virtual Status begin(Bytes head, uint64_t memory) = 0;
  // Decodes some of `input`, which is empty at the end of the input, into `output`, which is never empty. A
  // step that neither takes nor writes anything wants more input. The
  // offset of an error, if it has one, counts from the start of `input`.
  virtual Result<Step> step(Bytes input, MutableBytes output) = 0;
};

// All of them return nullptr when memory ran out.
std::unique_ptr<ForeignDecoder> make_gzip_decoder();
std::unique_ptr<ForeignDecoder> make_xz_decoder();
std::unique_ptr<ForeignDecoder> make_lzma_decoder();
std::unique_ptr<ForeignDecoder> make_zstd_decoder();
std::unique_ptr<ForeignDecoder> make_lz4_decoder();
// Boost's filter finds the members by itself, so this is a whole source.
std::unique_ptr<ByteSource> make_bzip2_source(ByteSource& compressed, const Limits& limits);

}  // namespace glyd

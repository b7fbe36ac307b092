#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "codec/base/bytes.h"
#include "codec/base/limits.h"
#include "codec/stream/byte_source.h"

// Reading of what other compressors wrote, for `glyd -d` and `glyd -t`. Only the command has this; the
// library does not, so that a program that links it gets none of these formats' libraries.
namespace glyd {

enum class ForeignFormat { kNone, kGzip, kBzip2, kXz, kLzma, kZstd, kLz4 };

// As many of a file's first bytes as sniff_foreign() looks at; more do no harm.
inline constexpr size_t kForeignMagicSize = 14;

// The format that a file starting with `first_bytes` has; kNone for all others, glyd's own among them, and
// when there are too few bytes to tell. A .lzma file has no magic number: it is told by a header that makes
// sense, and needs all kForeignMagicSize bytes. A skippable frame, which glyd, zstd and lz4 share, is kNone:
// look behind it.
ForeignFormat sniff_foreign(Bytes first_bytes);

// "gzip", "bzip2", "xz", "lzma", "zstd", "lz4"; "unknown" for kNone.
const char* foreign_name(ForeignFormat format);

// The content of `compressed`, which must outlive the source returned and is read from its present position
// to its end. Members, streams or frames that follow one another are read as one content, as the formats' own
// tools do:
//   gzip         several members; zeros may follow the last one
//   bzip2        several streams
//   xz           several streams, with stream padding
//   lzma         one stream
//   zstd, lz4    several frames, skippable ones (which have no content) among them
// Returns nullptr when memory ran out. Precondition: `format` is not kNone.
//
// The source's read() keeps its first error and returns it from then on. Offsets count from where
// `compressed` stood. They are exact for kTruncated, and but for bzip2 for kTrailingData. Damage is placed as
// near as the library tells: gzip and xz where it was seen; zstd and lz4 where the piece of up to 64 KiB begins
// in which it was seen; bzip2 up to 4 KiB behind. Errors:
//   kTruncated         the input ends within a member, or has none
//   kCorrupt           the library found damage (bzip2 and xz do not tell a wrong check from other damage)
//   kChecksumMismatch  content, header or block do not have the checksum that is stored
//   kTrailingData      something else follows the last member
//   kUnsupportedFeature  a filter, check or dictionary that is not to be had here
//   kMemoryLimit       the member asks for a window or dictionary beyond limits.memory, which is found before it
//                      is allocated; zstd's windows are compared with the largest power of two that fits
//   kOutputLimit       there is more content than limits.output
//   kOutOfMemory       and whatever `compressed` returns
// .lzma, and frames of zstd and lz4 written without a checksum, have nothing that could show every damage.
std::unique_ptr<ByteSource> open_foreign(ForeignFormat format, ByteSource& compressed, const Limits& limits);

}  // namespace glyd

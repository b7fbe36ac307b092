#include "codec/stream/foreign_format.h"

#include <new>

#include "codec/stream/foreign_decoder.h"
#include "codec/stream/foreign_source.h"

namespace glyd {
namespace {

bool starts_with(Bytes bytes, Bytes magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

// One byte of properties, a dictionary size, a content size, and the first byte of the range coder, which is
// zero. Encoders write dictionary sizes of 2^n or 2^n + 2^(n-1); the bounds on the rest are those that keep
// other binary files from being taken for .lzma.
bool is_lzma_header(Bytes bytes) {
  if (bytes.size() < kForeignMagicSize) return false;
  const unsigned properties = bytes[0];
  const unsigned literal_context = properties % 9;
  const unsigned literal_position = properties / 9 % 5;
  if (properties >= 9 * 5 * 5 || literal_context + literal_position > 4) return false;
  const uint32_t dictionary = load_le<uint32_t>(bytes.data() + 1);
  const int bits = std::popcount(dictionary);
  const bool two_neighbours = bits == 2 && (dictionary & (dictionary >> 1)) != 0;
  const bool dictionary_fits = dictionary == 0xFFFFFFFFu || (dictionary >= 4096 && (bits == 1 || two_neighbours));
  const uint64_t content = load_le<uint64_t>(bytes.data() + 5);
  const bool content_fits = content == ~uint64_t{0} || content < uint64_t{1} << 38;
  return dictionary_fits && content_fits && bytes[13] == 0;
}

// A decoder that could not be made shows as nullptr.
std::unique_ptr<ByteSource> source_of(std::unique_ptr<ForeignDecoder> decoder, ByteSource& compressed,
                                      const Limits& limits) {
  if (decoder == nullptr) return nullptr;
  return std::unique_ptr<ByteSource>(new (std::nothrow) ForeignSource(std::move(decoder), compressed, limits));
}

}  // namespace

ForeignFormat sniff_foreign(Bytes first_bytes) {
  const Bytes bytes = first_bytes;
  constexpr uint8_t kBzip2Start[] = {'B', 'Z', 'h'};
  constexpr uint8_t kDeflated = 8;
  if (starts_with(bytes, kGzipMagic) && bytes.size() > 2 && bytes[2] == kDeflated) return ForeignFormat::kGzip;
  if (starts_with(bytes, kBzip2Start) && bytes.size() > 3 && bytes[3] >= '1' && bytes[3] <= '9') {
    return ForeignFormat::kBzip2;
  }
  if (starts_with(bytes, kXzMagic)) return ForeignFormat::kXz;
  if (starts_with(bytes, kZstdMagic)) return ForeignFormat::kZstd;
  if (starts_with(bytes, kLz4Magic)) return ForeignFormat::kLz4;
  if (is_lzma_header(bytes)) return ForeignFormat::kLzma;
  return ForeignFormat::kNone;
}

const char* foreign_name(ForeignFormat format) {
  switch (format) {
    case ForeignFormat::kNone:
      break;
    case ForeignFormat::kGzip:
      return "gzip";
    case ForeignFormat::kBzip2:
      return "bzip2";
    case ForeignFormat::kXz:
      return "xz";
    case ForeignFormat::kLzma:
      return "lzma";
    case ForeignFormat::kZstd:
      return "zstd";
    case ForeignFormat::kLz4:
      return "lz4";
  }
  return "unknown";
}

std::unique_ptr<ByteSource> open_foreign(ForeignFormat format, ByteSource& compressed, const Limits& limits) {
  switch (format) {
    case ForeignFormat::kNone:
      break;
    case ForeignFormat::kGzip:
      return source_of(make_gzip_decoder(), compressed, limits);
    case ForeignFormat::kBzip2:
      return make_bzip2_source(compressed, limits);
    case ForeignFormat::kXz:
      return source_of(make_xz_decoder(), compressed, limits);
    case ForeignFormat::kLzma:
      return source_of(make_lzma_decoder(), compressed, limits);
    case ForeignFormat::kZstd:
      return source_of(make_zstd_decoder(), compressed, limits);
    case ForeignFormat::kLz4:
      return source_of(make_lz4_decoder(), compressed, limits);
  }
  return nullptr;
}

}  // namespace glyd

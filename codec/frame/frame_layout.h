#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/base/bytes.h"
#include "codec/base/hash.h"
#include "codec/base/status.h"

// The fixed parts of a frame as FORMAT.md has them, parsed and written here and nowhere else. Offsets in the Status
// of a parser count from the first byte of the part.
namespace glyd {

inline constexpr std::array<uint8_t, 4> kFrameMagic = {0xD7, 'G', 'L', 'Y'};
inline constexpr uint8_t kFormatVersion = 1;
inline constexpr uint32_t kSkippableMagic = 0x184D2A50;  // and the 15 after it
inline constexpr size_t kSkippableHeaderSize = 8;
inline constexpr size_t kMaxHeaderSize = 6 + 3 + 65535;
inline constexpr uint32_t kMaxPlans = 62;  // without the stored one
inline constexpr size_t kMaxPlanSteps = 8;
inline constexpr uint8_t kBlockKind = 0x40;
inline constexpr uint8_t kEndKind = 0x7F;
inline constexpr uint64_t kDecoderMemoryUnit = 64 * 1024;
// No block header is longer: kind, three varints, hash, check.
inline constexpr size_t kMaxBlockHeaderSize = 1 + 3 * kMaxVarintSize + 8 + 2;

bool is_frame_magic(const uint8_t* p);      // reads 4 bytes
bool is_skippable_magic(const uint8_t* p);  // reads 4 bytes

struct BaseIdentity {
  uint64_t size = 0;
  Hash128 hash;
};

// Transform ids in the order of encoding, as they stand in the file.
using PlanIds = std::vector<uint32_t>;

struct FrameHeader {
  static constexpr uint64_t kUnknownSize = ~uint64_t{0};

  uint64_t content_size = kUnknownSize;
  uint8_t block_size_log = 0;
  uint64_t decoder_memory = 0;      // bytes, a multiple of kDecoderMemoryUnit
  std::vector<BaseIdentity> bases;  // empty: none
  std::vector<PlanIds> plans;       // [0] is the stored plan, without ids

  uint64_t max_block_size() const { return uint64_t{1} << block_size_log; }
  // The most content that one block of this frame can have.
  uint64_t max_block_content() const { return std::min(max_block_size(), content_size); }
  // Bytes a decoder needs to decode one block at a time, as FORMAT.md reckons them.
  uint64_t memory_to_decode() const;
};

void append_header(std::vector<uint8_t>& out, const FrameHeader& header);

// A part that was parsed, and how long it was.
template <typename T>
struct Parsed {
  T value;
  size_t size = 0;
};

// Parses the header at the start of `bytes`, magic included. Errors: kTruncated when it goes beyond `bytes`, which
// may be the reader's window rather than the end of the file; kNotGlyd, kUnsupportedVersion, kUnsupportedFeature
// (flags), kCorrupt. Does not look at limits, nor whether the transforms are known.
Result<Parsed<FrameHeader>> parse_header(Bytes bytes);

struct BlockHeader {
  uint32_t plan = 0;
  uint64_t content_offset = 0;
  uint64_t content_size = 0;
  uint64_t stored_size = 0;
  uint64_t content_hash = 0;
};

// Writes the header so that it ends at `end` and returns where it begins. Precondition: kMaxBlockHeaderSize bytes
// are writable before `end`.
uint8_t* store_block_header(uint8_t* end, const BlockHeader& header);

// Parses a block header. Errors: kTruncated as above; kCorrupt, also for what breaks `frame`'s rules (plan number,
// sizes). Precondition: bytes is not empty and bytes[0] != kEndKind.
Result<Parsed<BlockHeader>> parse_block_header(Bytes bytes, const FrameHeader& frame);

struct SeekEntry {
  uint64_t content_size = 0;
  uint64_t block_bytes = 0;  // header and payload
  friend bool operator==(const SeekEntry&, const SeekEntry&) = default;
};

struct FrameEnd {
  Hash128 content_hash;
  uint64_t header_size = 0;
  std::vector<SeekEntry> blocks;

  // Bytes of the frame from its magic to this End. Precondition: parsed by parse_end(), which checks the sums.
  uint64_t bytes_before() const;
  uint64_t content_size() const;
};

void append_end(std::vector<uint8_t>& out, const FrameEnd& end);

// Parses an End that begins at the start of `bytes`. Errors: kTruncated as above, kCorrupt.
Result<Parsed<FrameEnd>> parse_end(Bytes bytes);

}  // namespace glyd

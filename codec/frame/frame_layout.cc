#include "codec/frame/frame_layout.h"

#include <cstring>

#include "codec/plan/level.h"

namespace glyd {
namespace {

enum Flags : uint8_t { kHasContentSize = 1, kHasBases = 2, kKnownFlags = 3 };

constexpr uint64_t kMaxBases = 16;

uint32_t check32(Bytes bytes) {
  return static_cast<uint32_t>(xxh64(bytes));
}
uint16_t check16(Bytes bytes) {
  return static_cast<uint16_t>(xxh64(bytes));
}

Status truncated(size_t size) {
  return Status(Code::kTruncated, nullptr, size);
}

Status corrupt(const char* detail, size_t offset) {
  return Status(Code::kCorrupt, detail, offset);
}

// What a failed ByteReader means for a part that may simply go on beyond the window.
Status reader_error(const ByteReader& reader, const char* detail) {
  return reader.truncated() ? truncated(reader.position()) : corrupt(detail, reader.position());
}

Status parse_bases(ByteReader& reader, FrameHeader& header) {
  const uint64_t count = reader.read_varint();
  if (!reader.ok() || count == 0 || count > kMaxBases) return corrupt("base count", reader.position());
  for (uint64_t i = 0; i < count; ++i) {
    BaseIdentity base;
    base.size = reader.read_varint();
    base.hash.low = reader.read_le<uint64_t>();
    base.hash.high = reader.read_le<uint64_t>();
    header.bases.push_back(base);
  }
  return {};
}

Status parse_plans(ByteReader& reader, FrameHeader& header) {
  const uint64_t count = reader.read_varint();
  if (!reader.ok() || count > kMaxPlans) return corrupt("plan count", reader.position());
  header.plans.emplace_back();  // the stored plan
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t steps = reader.read_varint();
    if (!reader.ok() || steps == 0 || steps > kMaxPlanSteps) return corrupt("plan steps", reader.position());
    PlanIds& plan = header.plans.emplace_back();
    for (uint64_t step = 0; step < steps; ++step) {
      const uint64_t id = reader.read_varint();
      if (id > 0xFFFFFFFFu) return corrupt("transform id", reader.position());
      plan.push_back(static_cast<uint32_t>(id));
    }
  }
  return {};
}

// The fields between the rest size and the check. `reader` holds them and nothing else.
Status parse_fields(ByteReader& reader, uint8_t flags, FrameHeader& header) {
  if ((flags & kHasContentSize) != 0) {
    header.content_size = reader.read_varint();
    if (header.content_size == FrameHeader::kUnknownSize) return corrupt("content size", reader.position());
  }
  header.block_size_log = reader.read_le<uint8_t>();
  const uint64_t units = reader.read_varint();
  if (!reader.ok() || header.block_size_log < kMinBlockLog || header.block_size_log > kMaxBlockLog) {
    return corrupt("block size", reader.position());
  }
  if (units > (uint64_t{1} << 44)) return corrupt("decoder memory", reader.position());
  header.decoder_memory = units * kDecoderMemoryUnit;
  if ((flags & kHasBases) != 0) {
    if (const Status status = parse_bases(reader, header); !status.ok()) return status;
  }
  if (const Status status = parse_plans(reader, header); !status.ok()) return status;
  if (!reader.ok() || reader.remaining() != 0) return corrupt("frame header size", reader.position());
  return {};
}

}  // namespace

bool is_frame_magic(const uint8_t* p) {
  return std::memcmp(p, kFrameMagic.data(), kFrameMagic.size()) == 0;
}

bool is_skippable_magic(const uint8_t* p) {
  return (load_le<uint32_t>(p) & ~0xFu) == kSkippableMagic;
}

uint64_t FrameHeader::memory_to_decode() const {
  size_t steps = 0;
  for (const PlanIds& plan : plans) steps = std::max(steps, plan.size());
  const uint64_t buffers = steps > 1 ? 3 : 2;
  return buffers * max_block_content() + decoder_memory;
}

void append_header(std::vector<uint8_t>& out, const FrameHeader& header) {
  std::vector<uint8_t> fields;
  uint8_t flags = 0;
  if (header.content_size != FrameHeader::kUnknownSize) {
    flags |= kHasContentSize;
    append_varint(fields, header.content_size);
  }
  fields.push_back(header.block_size_log);
  append_varint(fields, header.decoder_memory / kDecoderMemoryUnit);
  if (!header.bases.empty()) {
    flags |= kHasBases;
    append_varint(fields, header.bases.size());
    for (const BaseIdentity& base : header.bases) {
      append_varint(fields, base.size);
      append_le(fields, base.hash.low);
      append_le(fields, base.hash.high);
    }
  }
  append_varint(fields, header.plans.size() - 1);
  for (size_t i = 1; i < header.plans.size(); ++i) {
    append_varint(fields, header.plans[i].size());
    for (const uint32_t id : header.plans[i]) append_varint(fields, id);
  }

  const size_t begin = out.size();
  out.insert(out.end(), kFrameMagic.begin(), kFrameMagic.end());
  out.push_back(kFormatVersion);
  out.push_back(flags);
  append_varint(out, fields.size() + sizeof(uint32_t));
  out.insert(out.end(), fields.begin(), fields.end());
  append_le(out, check32(Bytes(out).subspan(begin)));
}

Result<Parsed<FrameHeader>> parse_header(Bytes bytes) {
  ByteReader reader(bytes);
  const Bytes magic = reader.read(kFrameMagic.size());
  if (!reader.ok()) return truncated(bytes.size());
  if (!is_frame_magic(magic.data())) return Status(Code::kNotGlyd, nullptr, 0);
  const uint8_t version = reader.read_le<uint8_t>();
  const uint8_t flags = reader.read_le<uint8_t>();
  const uint64_t rest = reader.read_varint();
  if (!reader.ok()) return reader_error(reader, "frame header size");
  // A later version may lay out everything but this differently, so it comes before the check.
  if (version != kFormatVersion) return Status(Code::kUnsupportedVersion, nullptr, 4);
  if (rest < sizeof(uint32_t) || rest > 65535) return corrupt("frame header size", 6);
  const size_t fields_begin = reader.position();
  const Bytes fields = reader.read(static_cast<size_t>(rest) - sizeof(uint32_t));
  const size_t check_at = reader.position();
  const uint32_t check = reader.read_le<uint32_t>();
  if (!reader.ok()) return truncated(bytes.size());
  if (check != check32(bytes.first(check_at))) return corrupt("frame header check", check_at);
  if ((flags & ~kKnownFlags) != 0) return Status(Code::kUnsupportedFeature, "frame header flag", 5);

  Parsed<FrameHeader> parsed;
  ByteReader field_reader(fields);
  if (const Status status = parse_fields(field_reader, flags, parsed.value); !status.ok()) {
    return Status(status.code(), status.detail(), fields_begin + status.offset());
  }
  parsed.size = reader.position();
  return parsed;
}

uint8_t* store_block_header(uint8_t* end, const BlockHeader& header) {
  std::array<uint8_t, kMaxBlockHeaderSize> bytes;
  uint8_t* p = bytes.data();
  *p++ = static_cast<uint8_t>(kBlockKind + header.plan);
  p = store_varint(p, header.content_offset);
  p = store_varint(p, header.content_size);
  p = store_varint(p, header.stored_size);
  store_le(p, header.content_hash);
  p += sizeof(uint64_t);
  store_le(p, check16(Bytes(bytes.data(), p)));
  p += sizeof(uint16_t);
  const size_t size = static_cast<size_t>(p - bytes.data());
  std::memcpy(end - size, bytes.data(), size);
  return end - size;
}

Result<Parsed<BlockHeader>> parse_block_header(Bytes bytes, const FrameHeader& frame) {
  ByteReader reader(bytes);
  Parsed<BlockHeader> parsed;
  BlockHeader& header = parsed.value;
  const uint8_t kind = reader.read_le<uint8_t>();
  if (kind < kBlockKind || kind >= kBlockKind + frame.plans.size()) return corrupt("block kind", 0);
  header.plan = kind - kBlockKind;
  header.content_offset = reader.read_varint();
  header.content_size = reader.read_varint();
  header.stored_size = reader.read_varint();
  header.content_hash = reader.read_le<uint64_t>();
  const size_t check_at = reader.position();
  const uint16_t check = reader.read_le<uint16_t>();
  if (!reader.ok()) return reader_error(reader, "block header");
  if (check != check16(bytes.first(check_at))) return corrupt("block header check", check_at);
  if (header.content_size == 0 || header.content_size > frame.max_block_size()) {
    return corrupt("block content size", 0);
  }
  const bool stored_whole = header.plan == 0;
  if (header.stored_size == 0 || header.stored_size > header.content_size ||
      (stored_whole && header.stored_size != header.content_size)) {
    return corrupt("block stored size", 0);
  }
  parsed.size = reader.position();
  return parsed;
}

uint64_t FrameEnd::bytes_before() const {
  uint64_t total = header_size;
  for (const SeekEntry& block : blocks) total += block.block_bytes;
  return total;
}

uint64_t FrameEnd::content_size() const {
  uint64_t total = 0;
  for (const SeekEntry& block : blocks) total += block.content_size;
  return total;
}

void append_end(std::vector<uint8_t>& out, const FrameEnd& end) {
  const size_t begin = out.size();
  out.push_back(kEndKind);
  append_le(out, end.content_hash.low);
  append_le(out, end.content_hash.high);
  append_varint(out, end.header_size);
  append_varint(out, end.blocks.size());
  for (const SeekEntry& block : end.blocks) {
    append_varint(out, block.content_size);
    append_varint(out, block.block_bytes);
  }
  append_le(out, check32(Bytes(out).subspan(begin)));
  append_le(out, static_cast<uint32_t>(out.size() - begin + sizeof(uint32_t)));
}

Result<Parsed<FrameEnd>> parse_end(Bytes bytes) {
  ByteReader reader(bytes);
  if (bytes.empty()) return truncated(0);
  if (reader.read_le<uint8_t>() != kEndKind) return corrupt("end kind", 0);
  Parsed<FrameEnd> parsed;
  FrameEnd& end = parsed.value;
  end.content_hash.low = reader.read_le<uint64_t>();
  end.content_hash.high = reader.read_le<uint64_t>();
  end.header_size = reader.read_varint();
  const uint64_t count = reader.read_varint();
  if (!reader.ok()) return reader_error(reader, "end");
  // Each entry has at least two bytes: a count that cannot be true is found before anything is allocated for it.
  if (count > reader.remaining() / 2) return truncated(bytes.size());
  constexpr uint64_t kMaxTotal = uint64_t{1} << 62;
  uint64_t total_content = 0;
  uint64_t total_bytes = end.header_size;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t content_size = reader.read_varint();
    const uint64_t block_bytes = reader.read_varint();
    if (!reader.ok()) return reader_error(reader, "seek table");
    if (total_bytes > kMaxTotal || content_size > kMaxTotal - total_content || block_bytes > kMaxTotal - total_bytes) {
      return corrupt("seek table", reader.position());
    }
    total_content += content_size;
    total_bytes += block_bytes;
    end.blocks.push_back({content_size, block_bytes});
  }
  const size_t check_at = reader.position();
  const uint32_t check = reader.read_le<uint32_t>();
  const uint32_t size = reader.read_le<uint32_t>();
  if (!reader.ok()) return truncated(bytes.size());
  if (check != check32(bytes.first(check_at))) return corrupt("end check", check_at);
  if (size != reader.position()) return corrupt("end size", check_at + sizeof(uint32_t));
  parsed.size = reader.position();
  return parsed;
}

}  // namespace glyd

#include <algorithm>

#include "codec/codec.h"
#include "codec/frame/frame_layout.h"

namespace glyd {
namespace {

// Reads up to `size` bytes at `offset`, fewer at the end of the file.
Result<std::vector<uint8_t>> read_part(RandomAccessSource& file, uint64_t file_size, uint64_t offset, uint64_t size) {
  std::vector<uint8_t> bytes(static_cast<size_t>(std::min(size, file_size - std::min(offset, file_size))));
  if (const Status status = file.read_at(offset, bytes); !status.ok()) return status;
  return bytes;
}

// The End that the file's bytes before `end` close with, or an error when they do not.
Result<FrameEnd> read_end_before(RandomAccessSource& file, uint64_t end) {
  std::array<uint8_t, 4> size_bytes;
  if (end < size_bytes.size()) return Status(Code::kCorrupt, "end size");
  if (const Status status = file.read_at(end - 4, size_bytes); !status.ok()) return status;
  const uint32_t size = load_le<uint32_t>(size_bytes.data());
  if (size > end) return Status(Code::kCorrupt, "end size");
  // Before a size that may be anything is believed and allocated, the byte it points to has to be an End's.
  std::array<uint8_t, 1> kind;
  if (size == 0) return Status(Code::kCorrupt, "end size");
  if (const Status status = file.read_at(end - size, kind); !status.ok()) return status;
  if (kind[0] != kEndKind) return Status(Code::kCorrupt, "end kind");
  const Result<std::vector<uint8_t>> bytes = read_part(file, end, end - size, size);
  if (!bytes.ok()) return bytes.status();
  Result<Parsed<FrameEnd>> parsed = parse_end(*bytes);
  if (!parsed.ok()) return parsed.status().at(end - size);
  if (parsed->size != size || parsed->value.bytes_before() > end - size) return Status(Code::kCorrupt, "end size");
  return std::move(parsed->value);
}

// A part that is parsed from a window of the file: when the window was too small, a larger one is read.
template <typename T, typename Parse>
Result<Parsed<T>> parse_at(RandomAccessSource& file, uint64_t file_size, uint64_t offset, uint64_t window,
                           Parse parse) {
  for (;;) {
    const Result<std::vector<uint8_t>> bytes = read_part(file, file_size, offset, window);
    if (!bytes.ok()) return bytes.status();
    Result<Parsed<T>> parsed = parse(*bytes);
    if (parsed.ok()) return parsed;
    const Status& error = parsed.status();
    if (error.code() != Code::kTruncated) {
      return Status(error.code(), error.detail(), offset + (error.has_offset() ? error.offset() : 0));
    }
    if (bytes->size() < window) return Status(Code::kTruncated, nullptr, file_size);
    window *= 8;
  }
}

constexpr uint64_t kHeaderWindow = 256;

Result<Parsed<FrameHeader>> read_header(RandomAccessSource& file, uint64_t file_size, uint64_t offset) {
  return parse_at<FrameHeader>(file, file_size, offset, kHeaderWindow, parse_header);
}

Result<Parsed<BlockHeader>> read_block_header(RandomAccessSource& file, uint64_t file_size, uint64_t offset,
                                              const FrameHeader& header) {
  return parse_at<BlockHeader>(file, file_size, offset, kMaxBlockHeaderSize,
                               [&](Bytes bytes) { return parse_block_header(bytes, header); });
}

// What is known of a frame once its header and its End are.
FrameInfo describe(uint64_t offset, const FrameHeader& header, const FrameEnd& end, uint64_t end_size) {
  FrameInfo frame;
  frame.file_offset = offset;
  frame.frame_bytes = end.bytes_before() + end_size;
  frame.content_size = end.content_size();
  frame.block_size_limit = header.max_block_size();
  frame.decoder_memory = header.memory_to_decode();
  frame.version = kFormatVersion;
  frame.content_hash = end.content_hash;
  frame.plans = header.plans;
  uint64_t file_offset = offset + end.header_size;
  uint64_t content_offset = 0;
  for (const SeekEntry& entry : end.blocks) {
    BlockInfo block;
    block.file_offset = file_offset;
    block.content_offset = content_offset;
    block.content_size = entry.content_size;
    block.block_bytes = entry.block_bytes;
    frame.blocks.push_back(block);
    file_offset += entry.block_bytes;
    content_offset += entry.content_size;
  }
  return frame;
}

// A header and an End found on their own must belong together.
Status check_frame(const FrameHeader& header, size_t header_size, const FrameEnd& end, uint64_t offset) {
  if (end.header_size != header_size) return Status(Code::kCorrupt, "header size in the seek table", offset);
  if (header.content_size != FrameHeader::kUnknownSize && header.content_size != end.content_size()) {
    return Status(Code::kCorrupt, "content size in the seek table", offset);
  }
  for (const SeekEntry& block : end.blocks) {
    const bool possible = block.content_size > 0 && block.content_size <= header.max_block_size() &&
                          block.block_bytes > 0 && block.block_bytes <= block.content_size + kMaxBlockHeaderSize;
    if (!possible) return Status(Code::kCorrupt, "block size in the seek table", offset);
  }
  return {};
}

// Frames from the last to the first, each found through its End. Errors when something else stands between them.
Result<std::vector<FrameInfo>> frames_from_back(RandomAccessSource& file, uint64_t file_size) {
  std::vector<FrameInfo> frames;
  uint64_t end_offset = file_size;
  while (end_offset > 0) {
    const Result<FrameEnd> end = read_end_before(file, end_offset);
    if (!end.ok()) return end.status();
    std::vector<uint8_t> end_bytes;
    append_end(end_bytes, *end);
    const uint64_t offset = end_offset - end_bytes.size() - end->bytes_before();
    const Result<Parsed<FrameHeader>> header = read_header(file, file_size, offset);
    if (!header.ok()) return header.status();
    if (const Status status = check_frame(header->value, header->size, *end, offset); !status.ok()) return status;
    frames.push_back(describe(offset, header->value, *end, end_bytes.size()));
    end_offset = offset;
  }
  std::reverse(frames.begin(), frames.end());
  return frames;
}

// One frame, walked from block header to block header.
Result<FrameInfo> walk_frame(RandomAccessSource& file, uint64_t file_size, uint64_t offset) {
  const Result<Parsed<FrameHeader>> header = read_header(file, file_size, offset);
  if (!header.ok()) return header.status();
  FrameEnd seen;
  seen.header_size = header->size;
  uint64_t at = offset + header->size;
  for (;;) {
    std::array<uint8_t, 1> kind;
    if (const Status status = file.read_at(at, kind); !status.ok()) return status;
    if (kind[0] == kEndKind) break;
    const Result<Parsed<BlockHeader>> block = read_block_header(file, file_size, at, header->value);
    if (!block.ok()) return block.status();
    const uint64_t block_bytes = block->size + block->value.stored_size;
    if (block_bytes > file_size - at) return Status(Code::kTruncated, nullptr, file_size);
    seen.blocks.push_back({block->value.content_size, block_bytes});
    at += block_bytes;
  }
  const Result<Parsed<FrameEnd>> end = parse_at<FrameEnd>(file, file_size, at, kHeaderWindow, parse_end);
  if (!end.ok()) return end.status();
  if (end->value.blocks != seen.blocks) return Status(Code::kCorrupt, "seek table", at);
  if (const Status status = check_frame(header->value, header->size, end->value, at); !status.ok()) return status;
  return describe(offset, header->value, end->value, end->size);
}

Status walk_file(RandomAccessSource& file, FileInfo& info) {
  uint64_t at = 0;
  while (at < info.file_bytes) {
    const Result<std::vector<uint8_t>> start = read_part(file, info.file_bytes, at, kSkippableHeaderSize);
    if (!start.ok()) return start.status();
    if (start->size() == kSkippableHeaderSize && is_skippable_magic(start->data())) {
      const uint64_t size = kSkippableHeaderSize + uint64_t{load_le<uint32_t>(start->data() + 4)};
      if (size > info.file_bytes - at) return Status(Code::kTruncated, "skippable frame", info.file_bytes);
      ++info.skippable_frames;
      at += size;
      continue;
    }
    const bool is_frame = start->size() >= kFrameMagic.size() && is_frame_magic(start->data());
    if (!is_frame) return Status(info.frames.empty() ? Code::kNotGlyd : Code::kTrailingData, nullptr, at);
    Result<FrameInfo> frame = walk_frame(file, info.file_bytes, at);
    if (!frame.ok()) return frame.status();
    at += frame->frame_bytes;
    info.frames.push_back(std::move(*frame));
  }
  if (info.frames.empty()) return Status(Code::kNotGlyd, "there is no frame in it", 0);
  return {};
}

Status read_plans(RandomAccessSource& file, FileInfo& info) {
  for (FrameInfo& frame : info.frames) {
    const Result<Parsed<FrameHeader>> header = read_header(file, info.file_bytes, frame.file_offset);
    if (!header.ok()) return header.status();
    for (BlockInfo& block : frame.blocks) {
      const Result<Parsed<BlockHeader>> parsed =
          read_block_header(file, info.file_bytes, block.file_offset, header->value);
      if (!parsed.ok()) return parsed.status();
      block.plan = parsed->value.plan;
    }
  }
  return {};
}

}  // namespace

Result<FileInfo> inspect(RandomAccessSource& file, bool block_headers) {
  FileInfo info;
  const Result<uint64_t> size = file.size();
  if (!size.ok()) return size.status();
  info.file_bytes = *size;
  if (Result<std::vector<FrameInfo>> frames = frames_from_back(file, info.file_bytes);
      frames.ok() && !frames->empty()) {
    info.frames = std::move(*frames);
  } else if (const Status status = walk_file(file, info); !status.ok()) {
    return status;
  }
  for (FrameInfo& frame : info.frames) {
    frame.content_offset = info.content_size;
    for (BlockInfo& block : frame.blocks) block.content_offset += info.content_size;
    info.content_size += frame.content_size;
  }
  if (block_headers) {
    if (const Status status = read_plans(file, info); !status.ok()) return status;
  }
  return info;
}

const char* transform_name(uint32_t id) {
  const Transform* transform = find_transform(id);
  return transform == nullptr ? nullptr : transform->name();
}

}  // namespace glyd

#include <algorithm>

#include "codec/codec.h"
#include "codec/frame/block_codec.h"
#include "codec/frame/frame_layout.h"
#include "codec/frame/frame_limits.h"

namespace glyd {

struct RangeReader::State {
  explicit State(RandomAccessSource& source) : file(source) {}

  RandomAccessSource& file;
  DecodeOptions options;
  FileInfo info;

  // The block that was decoded last, and the header of its frame.
  const FrameInfo* frame = nullptr;
  FrameHeader header;
  const BlockInfo* block = nullptr;
  Buffer stored;
  Buffer content;
  Workspace workspace;

  Status load_header(const FrameInfo& wanted);
  Status load_block(const FrameInfo& in, const BlockInfo& wanted);
};

Status RangeReader::State::load_header(const FrameInfo& wanted) {
  if (frame == &wanted) return {};
  frame = nullptr;
  std::vector<uint8_t> bytes(static_cast<size_t>(
      wanted.blocks.empty() ? wanted.frame_bytes : wanted.blocks.front().file_offset - wanted.file_offset));
  if (const Status status = file.read_at(wanted.file_offset, bytes); !status.ok()) return status;
  Result<Parsed<FrameHeader>> parsed = parse_header(bytes);
  if (!parsed.ok()) return Status(parsed.status().code(), parsed.status().detail(), wanted.file_offset);
  header = std::move(parsed->value);
  const Result<DecodeResources> allowed = decode_resources(header, 1, {options.limits.memory, Limits::kNone}, 0);
  if (!allowed.ok()) return allowed.status().at(wanted.file_offset);
  frame = &wanted;
  return {};
}

Status RangeReader::State::load_block(const FrameInfo& in, const BlockInfo& wanted) {
  if (block == &wanted) return {};
  block = nullptr;
  if (const Status status = load_header(in); !status.ok()) return status;
  if (const Status status = stored.reserve(static_cast<size_t>(wanted.block_bytes)); !status.ok()) return status;
  const MutableBytes bytes(stored.data(), static_cast<size_t>(wanted.block_bytes));
  if (const Status status = file.read_at(wanted.file_offset, bytes); !status.ok()) return status;
  const Result<Parsed<BlockHeader>> parsed = parse_block_header(bytes, header);
  if (!parsed.ok()) return Status(parsed.status().code(), parsed.status().detail(), wanted.file_offset);
  const BlockHeader& found = parsed->value;
  const bool as_in_table = found.content_size == wanted.content_size &&
                           found.content_offset == wanted.content_offset - in.content_offset &&
                           found.stored_size == wanted.block_bytes - parsed->size;
  if (!as_in_table) return Status(Code::kCorrupt, "block differs from the seek table", wanted.file_offset);
  if (const Status status = content.reserve(static_cast<size_t>(found.content_size)); !status.ok()) return status;
  const MutableBytes target(content.data(), static_cast<size_t>(found.content_size));
  const Status status = decode_block(bytes.subspan(parsed->size), found, header, target, workspace);
  if (!status.ok()) return status.at(wanted.file_offset);
  block = &wanted;
  return {};
}

RangeReader::RangeReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
RangeReader::~RangeReader() = default;

Result<std::unique_ptr<RangeReader>> RangeReader::open(RandomAccessSource& file, const DecodeOptions& options) {
  auto state = std::make_unique<State>(file);
  state->options = options;
  Result<FileInfo> info = inspect(file);
  if (!info.ok()) return info.status();
  state->info = std::move(*info);
  return std::unique_ptr<RangeReader>(new RangeReader(std::move(state)));
}

const FileInfo& RangeReader::info() const {
  return state_->info;
}

Result<Bytes> RangeReader::window(uint64_t offset) {
  State& s = *state_;
  if (offset > s.info.content_size) return Status(Code::kRangeOutside);
  if (offset == s.info.content_size) return Bytes{};
  // The last frame, and in it the last block, that begins at or before the offset: an empty frame never is it,
  // because the next one begins where it does.
  const auto frame = std::prev(std::upper_bound(s.info.frames.begin(), s.info.frames.end(), offset,
                                                [](uint64_t at, const FrameInfo& f) { return at < f.content_offset; }));
  const auto block = std::prev(std::upper_bound(frame->blocks.begin(), frame->blocks.end(), offset,
                                                [](uint64_t at, const BlockInfo& b) { return at < b.content_offset; }));
  if (const Status status = s.load_block(*frame, *block); !status.ok()) return status;
  const size_t skip = static_cast<size_t>(offset - block->content_offset);
  return Bytes(s.content.data() + skip, static_cast<size_t>(block->content_size) - skip);
}

Status RangeReader::read(uint64_t offset, MutableBytes destination) {
  const uint64_t total = state_->info.content_size;
  if (offset > total || destination.size() > total - offset) return Status(Code::kRangeOutside);
  while (!destination.empty()) {
    const Result<Bytes> bytes = window(offset);
    if (!bytes.ok()) return bytes.status();
    const size_t size = std::min(bytes->size(), destination.size());
    std::memcpy(destination.data(), bytes->data(), size);
    destination = destination.subspan(size);
    offset += size;
  }
  return {};
}

}  // namespace glyd

#include <algorithm>
#include <optional>

#include "codec/codec.h"
#include "codec/frame/block_codec.h"
#include "codec/frame/frame_layout.h"
#include "codec/frame/frame_limits.h"

namespace glyd {
namespace {

// A part of the file kept in memory, moved along as the salvager goes.
class FileWindow {
 public:
  FileWindow(RandomAccessSource& file, uint64_t file_size) : file_(file), file_size_(file_size) {}

  // At least `size` bytes from `offset`, or all there are. Valid until the next call.
  Result<Bytes> at(uint64_t offset, uint64_t size) {
    size = std::min(size, file_size_ - std::min(offset, file_size_));
    const bool inside = offset >= begin_ && offset + size <= begin_ + bytes_.size();
    if (!inside) {
      const uint64_t wanted = std::min(std::max<uint64_t>(size, kReadSize), file_size_ - offset);
      bytes_.resize(static_cast<size_t>(wanted));
      begin_ = offset;
      if (const Status status = file_.read_at(offset, bytes_); !status.ok()) return status;
    }
    return Bytes(bytes_).subspan(static_cast<size_t>(offset - begin_));
  }

 private:
  static constexpr uint64_t kReadSize = 256 * 1024;
  RandomAccessSource& file_;
  uint64_t file_size_;
  uint64_t begin_ = 0;
  std::vector<uint8_t> bytes_;
};

// The plan tables that this version's encoder writes, for a frame whose own header is lost. A wrong guess does no
// harm: a block counts only when it decodes to content with its hash.
std::vector<FrameHeader> guessed_headers() {
  const auto id = [](TransformId transform) { return static_cast<uint32_t>(transform); };
  const uint32_t zstd = id(TransformId::kZstd);
  const uint32_t run_length = id(TransformId::kRunLength);
  const uint32_t lz4 = id(TransformId::kLz4);
  std::vector<FrameHeader> headers;
  for (const std::vector<PlanIds>& plans :
       std::vector<std::vector<PlanIds>>{{{}, {zstd}, {run_length}, {run_length, zstd}},
                                         {{}, {lz4}, {run_length}, {run_length, lz4}},
                                         {{}, {run_length}},
                                         {{}, {run_length, zstd}},
                                         {{}, {run_length, lz4}}}) {
    FrameHeader header;
    header.block_size_log = kMaxBlockLog;
    header.plans = plans;
    headers.push_back(header);
  }
  return headers;
}

class Salvager {
 public:
  Salvager(RandomAccessSource& file, uint64_t file_size, ByteSink& sink, const DecodeOptions& options)
      : file_(file), file_size_(file_size), window_(file, file_size), sink_(sink), options_(options) {}

  Result<SalvageReport> run();

 private:
  // Each looks at the current position, and moves it beyond what it recognised. Nullopt: it is not that.
  using Outcome = std::optional<Status>;
  Outcome try_frame_header(Bytes bytes);
  Outcome try_skippable(Bytes bytes);
  Outcome try_end(Bytes bytes);
  Outcome try_block(Bytes bytes);
  uint64_t long_end_size(Bytes bytes) const;

  Outcome decode_with(const FrameHeader& frame, Bytes bytes);
  Status emit(const BlockHeader& block);
  Status fill_gap(uint64_t frame_content);
  void close_frame_without_end();
  Status skip_one();

  RandomAccessSource& file_;
  uint64_t file_size_;
  FileWindow window_;
  ByteSink& sink_;
  DecodeOptions options_;
  SalvageReport report_;

  uint64_t position_ = 0;
  std::vector<FrameHeader> frames_;      // the header of the open frame, or guesses at it; empty: no frame is open
  std::optional<uint64_t> header_size_;  // of the open frame's header, when that was read
  uint64_t announced_ = FrameHeader::kUnknownSize;
  uint64_t frame_content_ = 0;      // of the open frame, written so far
  uint64_t written_ = 0;            // of all frames
  std::optional<uint64_t> damage_;  // where the damage that is being passed over was met

  Buffer stored_;
  Buffer content_;
  Workspace workspace_;
};

Result<SalvageReport> Salvager::run() {
  while (position_ < file_size_) {
    const Result<Bytes> bytes = window_.at(position_, kMaxHeaderSize);
    if (!bytes.ok()) return bytes.status();
    Outcome outcome = try_frame_header(*bytes);
    if (!outcome) outcome = try_skippable(*bytes);
    if (!outcome) outcome = try_block(*bytes);
    if (!outcome) outcome = try_end(*bytes);  // last: it may move the window, and `bytes` with it
    if (!outcome) outcome = skip_one();
    if (!outcome->ok()) return *outcome;
  }
  close_frame_without_end();
  if (damage_ || (report_.blocks == 0 && report_.gaps.empty() && written_ == 0 && file_size_ == 0)) {
    report_.gaps.push_back({written_, 0, damage_.value_or(0), false});
  }
  return report_;
}

Salvager::Outcome Salvager::try_frame_header(Bytes bytes) {
  if (bytes.size() < kFrameMagic.size() || !is_frame_magic(bytes.data())) return std::nullopt;
  const Result<Parsed<FrameHeader>> parsed = parse_header(bytes);
  if (!parsed.ok() && damage_) return std::nullopt;  // four bytes like the magic in the midst of damage
  close_frame_without_end();
  frame_content_ = 0;
  if (parsed.ok()) {
    const Limits limits{options_.limits.memory, Limits::kNone};
    const Result<DecodeResources> allowed = decode_resources(parsed->value, 1, limits, 0);
    if (!allowed.ok()) return allowed.status().at(position_);
    frames_ = {parsed->value};
    announced_ = parsed->value.content_size;
    header_size_ = parsed->size;
    position_ += parsed->size;
    damage_.reset();
  } else {
    frames_ = guessed_headers();
    header_size_.reset();
    announced_ = FrameHeader::kUnknownSize;
    damage_ = position_;
    position_ += kFrameMagic.size();
  }
  return Status();
}

Salvager::Outcome Salvager::try_skippable(Bytes bytes) {
  if (damage_ || !frames_.empty() || bytes.size() < kSkippableHeaderSize || !is_skippable_magic(bytes.data())) {
    return std::nullopt;
  }
  const uint64_t size = kSkippableHeaderSize + uint64_t{load_le<uint32_t>(bytes.data() + 4)};
  if (size > file_size_ - position_) return std::nullopt;
  position_ += size;
  return Status();
}

Salvager::Outcome Salvager::try_end(Bytes bytes) {
  if (bytes[0] != kEndKind || frames_.empty()) return std::nullopt;
  Result<Parsed<FrameEnd>> parsed = parse_end(bytes);
  if (!parsed.ok() && parsed.status().code() == Code::kTruncated && bytes.size() < file_size_ - position_) {
    // A long seek table, or damage that looks like the begin of one.
    const uint64_t size = long_end_size(bytes);
    if (size <= bytes.size()) return std::nullopt;
    const Result<Bytes> more = window_.at(position_, size);
    if (!more.ok()) return more.status();
    parsed = parse_end(*more);
  }
  if (!parsed.ok()) return std::nullopt;
  const uint64_t content_size = parsed->value.content_size();
  if (content_size < frame_content_) return std::nullopt;
  if (content_size > frame_content_) {
    if (!damage_) damage_ = position_;
    if (const Status status = fill_gap(content_size); !status.ok()) return status;
  }
  damage_.reset();
  frames_.clear();
  position_ += parsed->size;
  return Status();
}

// How many bytes an End that begins like this has at most; 0 when what it says can't be true. Every 256th byte of damage
// looks like the begin of an End, and reading on behind each of them would take minutes.
uint64_t Salvager::long_end_size(Bytes bytes) const {
  ByteReader reader(bytes);
  reader.read(1 + sizeof(Hash128));
  const uint64_t header_size = reader.read_varint();
  const uint64_t count = reader.read_varint();
  constexpr uint64_t kMinBlockBytes = 15;
  const bool header_fits = header_size_ ? header_size == *header_size_ : header_size <= position_;
  const bool possible =
      reader.ok() && header_fits && count <= position_ / kMinBlockBytes && count <= (file_size_ - position_) / 2;
  if (!possible) return 0;
  const uint64_t most = reader.position() + count * 2 * kMaxVarintSize + 2 * sizeof(uint32_t);
  return std::min(most, file_size_ - position_);
}

Salvager::Outcome Salvager::try_block(Bytes bytes) {
  const bool block_kind = bytes[0] >= kBlockKind && bytes[0] < kEndKind;
  if (!block_kind) return std::nullopt;
  for (const FrameHeader& frame : frames_) {
    if (Outcome outcome = decode_with(frame, bytes)) return outcome;
  }
  return std::nullopt;
}

Salvager::Outcome Salvager::decode_with(const FrameHeader& frame, Bytes bytes) {
  const Result<Parsed<BlockHeader>> parsed = parse_block_header(bytes, frame);
  if (!parsed.ok()) return std::nullopt;
  const BlockHeader block = parsed->value;
  const uint64_t block_bytes = parsed->size + block.stored_size;
  const bool possible = block.content_offset >= frame_content_ && block_bytes <= file_size_ - position_ &&
                        block.content_size <= options_.limits.memory / 2;
  if (!possible) return std::nullopt;
  if (const Status status = stored_.reserve(static_cast<size_t>(block.stored_size)); !status.ok()) return status;
  if (const Status status = content_.reserve(static_cast<size_t>(block.content_size)); !status.ok()) return status;
  const MutableBytes payload(stored_.data(), static_cast<size_t>(block.stored_size));
  if (const Status status = file_.read_at(position_ + parsed->size, payload); !status.ok()) return status;
  const MutableBytes content(content_.data(), static_cast<size_t>(block.content_size));
  if (!decode_block(payload, block, frame, content, workspace_).ok()) return std::nullopt;
  if (frames_.size() > 1) frames_ = {FrameHeader(frame)};  // this guess was right
  position_ += block_bytes;
  return emit(block);
}

// Writes the block in content_ to its place, which is at or beyond what has been written.
Status Salvager::emit(const BlockHeader& block) {
  if (block.content_offset > frame_content_) {
    if (!damage_) damage_ = position_;
    if (const Status status = fill_gap(block.content_offset); !status.ok()) return status;
  }
  damage_.reset();
  if (block.content_size > options_.limits.output - std::min(options_.limits.output, written_)) {
    return Status(Code::kOutputLimit);
  }
  const Status status = sink_.write(Bytes(content_.data(), static_cast<size_t>(block.content_size)));
  frame_content_ += block.content_size;
  written_ += block.content_size;
  report_.content_bytes += block.content_size;
  ++report_.blocks;
  return status;
}

// Writes zeros up to `frame_content` bytes of the open frame. Precondition: damage_ is set.
Status Salvager::fill_gap(uint64_t frame_content) {
  uint64_t size = frame_content - frame_content_;
  report_.gaps.push_back({written_, size, *damage_, true});
  if (size > options_.limits.output - std::min(options_.limits.output, written_)) return Status(Code::kOutputLimit);
  const std::vector<uint8_t> zeros(static_cast<size_t>(std::min<uint64_t>(size, 1 << 20)));
  frame_content_ += size;
  written_ += size;
  while (size > 0) {
    const size_t part = static_cast<size_t>(std::min<uint64_t>(size, zeros.size()));
    if (const Status status = sink_.write(Bytes(zeros).first(part)); !status.ok()) return status;
    size -= part;
  }
  return {};
}

// The file, or another frame's header, comes where the open frame's End should be.
void Salvager::close_frame_without_end() {
  if (frames_.empty()) return;
  const bool known = announced_ != FrameHeader::kUnknownSize;
  const uint64_t missing = known ? announced_ - std::min(announced_, frame_content_) : 0;
  report_.gaps.push_back({written_, missing, damage_.value_or(position_), known});
  frames_.clear();
  damage_.reset();
}

// Nothing is recognised here: go on at the next byte where anything could begin.
Status Salvager::skip_one() {
  if (!damage_) damage_ = position_;
  // A frame whose very magic is damaged may begin here.
  if (frames_.empty()) {
    frames_ = guessed_headers();
    header_size_.reset();
    announced_ = FrameHeader::kUnknownSize;
    frame_content_ = 0;
  }
  ++position_;
  const Result<Bytes> bytes = window_.at(position_, 1);
  if (!bytes.ok()) return bytes.status();
  const auto may_begin = [](uint8_t byte) {
    return (byte >= kBlockKind && byte <= kEndKind) || byte == kFrameMagic[0];
  };
  position_ += static_cast<uint64_t>(std::find_if(bytes->begin(), bytes->end(), may_begin) - bytes->begin());
  return {};
}

}  // namespace

Result<SalvageReport> salvage(RandomAccessSource& file, ByteSink& sink, const DecodeOptions& options) {
  const Result<uint64_t> size = file.size();
  if (!size.ok()) return size.status();
  return Salvager(file, *size, sink, options).run();
}

}  // namespace glyd

#include <deque>

#include "codec/base/thread_pool.h"
#include "codec/codec.h"
#include "codec/frame/block_codec.h"
#include "codec/frame/frame_layout.h"
#include "codec/frame/frame_limits.h"
#include "codec/frame/worker_memory.h"

namespace glyd {
namespace {

// Content is given out in pieces of this size, each hashed first: what takes it then finds it in the cache.
constexpr size_t kPieceSize = 512 * 1024;

// Holds any frame header, and is what a caller gets as input() between payloads.
constexpr size_t kStagingSize = 256 * 1024;
static_assert(kStagingSize > kMaxHeaderSize);

// A block on its way: its payload filled in by the caller, decoded by a worker, emptied by the caller.
struct DecodeTask : ThreadPool::Task {
  const FrameHeader* frame = nullptr;
  WorkspacePool* workspaces = nullptr;
  BlockHeader header;
  uint64_t file_offset = 0;
  Buffer stored;
  Buffer content;
  size_t filled = 0;     // bytes of payload that are there
  size_t given_out = 0;  // bytes of content that have been hashed and shown
  Status status;

  // The payload of a stored block is read to where its content is wanted.
  uint8_t* payload() { return header.plan == kStoredPlan ? content.data() : stored.data(); }
  size_t payload_size() const { return static_cast<size_t>(header.stored_size); }
  Bytes decoded() const { return Bytes(content.data(), static_cast<size_t>(header.content_size)); }

  Status allocate() {
    if (header.plan != kStoredPlan) {
      if (const Status error = stored.reserve(payload_size()); !error.ok()) return error;
    }
    return content.reserve(static_cast<size_t>(header.content_size));
  }

  void run() override {
    WorkspacePool::Lease workspace(*workspaces);
    const MutableBytes target(content.data(), static_cast<size_t>(header.content_size));
    status = decode_block(Bytes(payload(), payload_size()), header, *frame, target, *workspace).at(file_offset);
  }
};

}  // namespace

struct Decoder::State {
  enum class Stage { kFrameStart, kSkip, kBlock, kPayload, kEnd };

  DecodeOptions options;
  Status status;  // the first error; shown once everything before it has been taken
  Stage stage = Stage::kFrameStart;
  bool eof = false;
  uint64_t frames = 0;

  Buffer staging;
  size_t staged = 0;  // bytes in staging
  size_t parsed = 0;  // of them used

  uint64_t file_offset = 0;    // of staging[parsed], or of the payload's next byte
  uint64_t content_bytes = 0;  // given out
  uint64_t output_total = 0;   // content of all blocks met so far

  FrameHeader header;
  FrameEnd end;
  uint64_t frame_content = 0;  // content of this frame's blocks so far
  uint64_t skip = 0;           // bytes of a skippable frame still to come
  std::vector<uint8_t> expected_end;
  size_t end_matched = 0;
  ContentHasher hasher;

  WorkspacePool workspaces;
  DecodeResources resources;
  std::vector<std::unique_ptr<DecodeTask>> free_tasks;
  std::unique_ptr<DecodeTask> filling;
  std::deque<std::unique_ptr<DecodeTask>> in_flight;  // oldest first
  Bytes window;

  std::unique_ptr<ThreadPool> pool;  // last: its destructor waits for workers that use the tasks

  Bytes unparsed() const { return Bytes(staging.data() + parsed, staged - parsed); }
  void take(size_t size) {
    parsed += size;
    file_offset += size;
  }
  // The first error; offsets of parsers are relative to the bytes not yet taken.
  void fail(Status error) {
    if (status.ok()) status = error;
  }
  void fail_here(const Status& error) {
    const uint64_t offset = file_offset + (error.has_offset() ? error.offset() : 0);
    fail(Status(error.code(), error.detail(), offset));
  }

  void advance();
  bool step();
  bool step_frame_start();
  bool step_header();
  bool step_skip();
  bool step_block();
  bool step_payload();
  bool step_end();
  bool begin_end();
  // In-flight blocks only: the one being filled comes to them before the next is begun.
  bool no_free_task() const { return in_flight.size() >= resources.blocks; }
  void check_eof();
};

// Parses what is staged as far as it goes.
void Decoder::State::advance() {
  while (status.ok() && step()) {
  }
  if (parsed == staged) {
    parsed = staged = 0;
  } else if (parsed > 0 && stage != Stage::kPayload) {
    std::memmove(staging.data(), staging.data() + parsed, staged - parsed);
    staged -= parsed;
    parsed = 0;
  }
  if (status.ok() && eof) check_eof();
}

// True when something was parsed and there may be more; false when more input is needed, or output must be taken.
bool Decoder::State::step() {
  switch (stage) {
    case Stage::kFrameStart:
      return step_frame_start();
    case Stage::kSkip:
      return step_skip();
    case Stage::kBlock:
      return step_block();
    case Stage::kPayload:
      return step_payload();
    case Stage::kEnd:
      return step_end();
  }
  return false;
}

bool Decoder::State::step_frame_start() {
  const Bytes bytes = unparsed();
  if (bytes.size() < kFrameMagic.size()) return false;
  if (is_skippable_magic(bytes.data())) {
    if (bytes.size() < kSkippableHeaderSize) return false;
    skip = load_le<uint32_t>(bytes.data() + 4);
    take(kSkippableHeaderSize);
    stage = Stage::kSkip;
    return true;
  }
  if (!is_frame_magic(bytes.data())) {
    fail_here(Status(frames == 0 ? Code::kNotGlyd : Code::kTrailingData));
    return false;
  }
  return step_header();
}

bool Decoder::State::step_header() {
  Result<Parsed<FrameHeader>> result = parse_header(unparsed());
  if (!result.ok()) {
    if (result.status().code() != Code::kTruncated) fail_here(result.status());
    return false;
  }
  header = std::move(result->value);
  const Result<DecodeResources> allowed = decode_resources(header, options.threads, options.limits, output_total);
  if (!allowed.ok()) {
    fail_here(allowed.status());
    return false;
  }
  resources = *allowed;
  take(result->size);
  end = {};
  end.header_size = result->size;
  frame_content = 0;
  hasher.reset();
  ++frames;
  stage = Stage::kBlock;
  return true;
}

bool Decoder::State::step_skip() {
  const size_t size = static_cast<size_t>(std::min<uint64_t>(skip, unparsed().size()));
  take(size);
  skip -= size;
  if (skip > 0) return false;
  stage = Stage::kFrameStart;
  return true;
}

bool Decoder::State::step_block() {
  const Bytes bytes = unparsed();
  if (bytes.empty()) return false;
  if (bytes[0] == kEndKind) return begin_end();
  if (no_free_task()) return false;
  const Result<Parsed<BlockHeader>> result = parse_block_header(bytes, header);
  if (!result.ok()) {
    if (result.status().code() != Code::kTruncated) fail_here(result.status());
    return false;
  }
  const BlockHeader& block = result->value;
  if (block.content_offset != frame_content) {
    fail_here(Status(Code::kCorrupt, "a block is missing or out of order"));
    return false;
  }
  // content_size is the largest number when it is unknown.
  if (block.content_size > header.content_size - frame_content) {
    fail_here(Status(Code::kCorrupt, "more content than the frame header says"));
    return false;
  }
  if (block.content_size > options.limits.output - std::min(options.limits.output, output_total)) {
    fail_here(Status(Code::kOutputLimit));
    return false;
  }
  if (free_tasks.empty()) {
    filling = std::make_unique<DecodeTask>();
  } else {
    filling = std::move(free_tasks.back());
    free_tasks.pop_back();
  }
  filling->frame = &header;
  filling->workspaces = &workspaces;
  filling->header = block;
  filling->file_offset = file_offset;
  filling->filled = 0;
  filling->given_out = 0;
  if (const Status error = filling->allocate(); !error.ok()) {
    fail_here(error);
    return false;
  }
  frame_content += block.content_size;
  output_total += block.content_size;
  end.blocks.push_back({block.content_size, result->size + block.stored_size});
  take(result->size);
  stage = Stage::kPayload;
  return true;
}

bool Decoder::State::step_payload() {
  DecodeTask& task = *filling;
  const Bytes bytes = unparsed();
  const size_t size = std::min(bytes.size(), task.payload_size() - task.filled);
  if (size > 0) std::memcpy(task.payload() + task.filled, bytes.data(), size);
  take(size);
  task.filled += size;
  if (task.filled < task.payload_size()) return false;
  in_flight.push_back(std::move(filling));
  if (resources.threads == 0) {
    task.run();
  } else {
    // A pool made for a frame that needed fewer workers is no longer in use: the frame before has been given out.
    if (pool == nullptr || pool->threads() < resources.threads) pool = std::make_unique<ThreadPool>(resources.threads);
    pool->submit(task);
  }
  stage = Stage::kBlock;
  return true;
}

// The End holds the hash of all content, so it is compared once all blocks before it have been given out.
bool Decoder::State::begin_end() {
  if (!in_flight.empty()) return false;
  if (header.content_size != FrameHeader::kUnknownSize && frame_content != header.content_size) {
    fail_here(Status(Code::kCorrupt, "less content than the frame header says"));
    return false;
  }
  end.content_hash = hasher.digest();
  expected_end.clear();
  append_end(expected_end, end);
  end_matched = 0;
  stage = Stage::kEnd;
  return true;
}

bool Decoder::State::step_end() {
  const Bytes bytes = unparsed();
  const size_t size = std::min(bytes.size(), expected_end.size() - end_matched);
  const auto differs = std::mismatch(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size),
                                     expected_end.begin() + static_cast<ptrdiff_t>(end_matched));
  const size_t equal = static_cast<size_t>(differs.first - bytes.begin());
  take(equal);
  end_matched += equal;
  if (equal < size) {
    constexpr size_t kHashEnd = 1 + sizeof(Hash128);
    fail_here(end_matched < kHashEnd ? Status(Code::kChecksumMismatch, "content of the frame")
                                     : Status(Code::kCorrupt, "seek table"));
    return false;
  }
  if (end_matched < expected_end.size()) return false;
  stage = Stage::kFrameStart;
  return true;
}

// At the end of the input, with all blocks given out, a frame must not be open.
void Decoder::State::check_eof() {
  if (!in_flight.empty()) return;
  const Bytes rest = unparsed();
  if (stage == Stage::kFrameStart) {
    if (rest.empty() && frames > 0) return;
    // What is left is too short for step_frame_start() to judge, or begins like a frame and breaks off.
    const Bytes start = rest.first(std::min(rest.size(), kFrameMagic.size()));
    const bool like_frame = std::equal(start.begin(), start.end(), kFrameMagic.begin());
    const bool like_skippable = rest.size() >= 4 && is_skippable_magic(rest.data());
    if (rest.empty() || (!like_frame && !like_skippable)) {
      const Code code = frames == 0 ? Code::kNotGlyd : Code::kTrailingData;
      fail_here(Status(code, rest.empty() ? "there is no frame in it" : nullptr));
      return;
    }
  }
  fail(Status(Code::kTruncated, nullptr, file_offset + rest.size()));
}

Decoder::Decoder(const DecodeOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
}

Decoder::~Decoder() = default;

MutableBytes Decoder::input() {
  State& s = *state_;
  if (!s.status.ok() || s.eof) return {};
  if (s.stage == State::Stage::kPayload && s.staged == 0) {
    DecodeTask& task = *s.filling;
    return MutableBytes(task.payload() + task.filled, task.payload_size() - task.filled);
  }
  // Bytes that can't be parsed before output has been taken stay staged until then.
  const bool stalled = s.stage == State::Stage::kBlock && s.staged > 0 &&
                       (s.no_free_task() || (s.staging.data()[0] == kEndKind && !s.in_flight.empty()));
  if (stalled) return {};
  if (const Status error = s.staging.reserve(kStagingSize); !error.ok()) {
    s.fail(error);
    return {};
  }
  return MutableBytes(s.staging.data() + s.staged, kStagingSize - s.staged);
}

Status Decoder::commit(size_t size) {
  State& s = *state_;
  if (!s.status.ok() || size == 0) return {};  // the error shows in output(), after the content before it
  const MutableBytes room = input();
  if (size > room.size()) {
    s.fail(Status(Code::kWrongOrder, "commit of more than input() gave"));
    return s.status;
  }
  if (s.stage == State::Stage::kPayload && s.staged == 0) {
    s.filling->filled += size;
    s.file_offset += size;
  } else {
    s.staged += size;
  }
  s.advance();
  return {};
}

Status Decoder::finish() {
  State& s = *state_;
  if (s.eof) return {};
  s.eof = true;
  s.advance();
  return {};
}

Result<Bytes> Decoder::output() {
  State& s = *state_;
  if (!s.window.empty()) return s.window;
  if (s.in_flight.empty()) {
    if (!s.status.ok()) return s.status;
    return Bytes{};
  }
  DecodeTask& task = *s.in_flight.front();
  if (s.pool != nullptr && !s.pool->finished(task)) {
    if (s.status.ok() && !s.eof && !input().empty()) return Bytes{};
    s.pool->wait(task);
  }
  if (!task.status.ok()) {
    s.status = task.status;  // it comes before any error met further on in the input
    return s.status;
  }
  const Bytes rest = task.decoded().subspan(task.given_out);
  s.window = rest.first(std::min(rest.size(), kPieceSize));
  task.given_out += s.window.size();
  s.hasher.update(s.window);
  return s.window;
}

void Decoder::consume(size_t size) {
  State& s = *state_;
  size = std::min(size, s.window.size());
  if (size == 0) return;
  s.window = s.window.subspan(size);
  s.content_bytes += size;
  if (!s.window.empty() || s.in_flight.front()->given_out < s.in_flight.front()->decoded().size()) return;
  s.free_tasks.push_back(std::move(s.in_flight.front()));
  s.in_flight.pop_front();
  s.advance();
}

bool Decoder::done() const {
  const State& s = *state_;
  return s.status.ok() && s.eof && s.in_flight.empty() && s.stage == State::Stage::kFrameStart && s.staged == 0;
}

const Status& Decoder::status() const {
  return state_->status;
}
uint64_t Decoder::frame_bytes() const {
  return state_->file_offset + state_->staged - state_->parsed;
}
uint64_t Decoder::content_bytes() const {
  return state_->content_bytes;
}
uint64_t Decoder::content_size() const {
  return state_->header.content_size;
}

}  // namespace glyd

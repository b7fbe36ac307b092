#include <deque>

#include "codec/base/thread_pool.h"
#include "codec/codec.h"
#include "codec/frame/block_codec.h"
#include "codec/frame/frame_layout.h"
#include "codec/frame/worker_memory.h"
#include "codec/model/model_map.h"
#include "codec/plan/planner.h"
#include "codec/transform/tensor/tensor_transform.h"

namespace glyd {
namespace {

uint64_t block_content_limit(const LevelSettings& settings, uint64_t content_size) {
  return std::min(uint64_t{1} << settings.block_size_log, std::max<uint64_t>(content_size, 1));
}

// Peak memory of an encoder: the blocks in flight, each with its content and what it becomes, and the workers.
// `has_numbers`: blocks may go through the tensor transform.
uint64_t encoder_memory(const LevelSettings& settings, uint64_t block_content, unsigned threads, bool has_numbers) {
  const auto memory_of = [&](TransformId id) {
    return find_transform(static_cast<uint32_t>(id))->encoder_memory(block_content, settings.parameters);
  };
  const uint64_t worker = memory_of(settings.codec) + (has_numbers ? memory_of(TransformId::kTensor) : 0);
  const uint64_t text = has_numbers ? TensorTransform::kTextMemory : 0;
  // A lone block is not followed by others that would be in flight with it.
  const bool lone = block_content < uint64_t{1} << settings.block_size_log;
  const uint64_t blocks = lone ? 1 : blocks_in_flight(threads);
  return blocks * 2 * block_content + threads * worker + text;
}

uint64_t block_count(uint64_t content_size, unsigned block_size_log) {
  return content_size == EncodeOptions::kUnknownSize ? content_size : (content_size >> block_size_log) + 1;
}

// A block on its way: filled by the caller, encoded by a worker, emptied by the caller.
struct EncodeTask : ThreadPool::Task {
  const Planner* planner = nullptr;
  WorkspacePool* workspaces = nullptr;
  Buffer content;
  size_t size = 0;
  uint64_t content_offset = 0;

  Buffer room;
  Buffer other_room;
  EncodedBlock block;
  Status status;

  void run() override {
    WorkspacePool::Lease workspace(*workspaces);
    status = room.reserve(kMaxBlockHeaderSize + content.capacity());
    if (!status.ok()) return;
    const MutableBytes target(room.data() + kMaxBlockHeaderSize, size);
    Result<EncodedBlock> result =
        encode_block(Bytes(content.data(), size), content_offset, *planner, target, other_room, *workspace);
    if (result.ok()) {
      block = *result;
    } else {
      status = result.status();
    }
  }

  // The header goes in front of where the payload is when that is in `room`, so that one write takes both.
  uint8_t* payload_in_room() { return room.data() + kMaxBlockHeaderSize; }
};

}  // namespace

struct Encoder::State {
  EncodeOptions options;
  Status status;
  LevelSettings settings;
  std::unique_ptr<Planner> planner;  // made when the first block is there to be looked at
  unsigned block_size_log = 0;
  uint64_t block_content = 0;  // capacity of a block: the block size, or less when the content is known to be less

  WorkspacePool workspaces;
  std::vector<std::unique_ptr<EncodeTask>> free_tasks;
  std::unique_ptr<EncodeTask> filling;
  std::deque<std::unique_ptr<EncodeTask>> in_flight;  // oldest first
  unsigned max_tasks = 0;
  unsigned tasks = 0;

  ContentHasher hasher;
  FrameEnd end;
  uint64_t content_bytes = 0;
  uint64_t frame_bytes = 0;
  bool finished = false;
  bool header_written = false;
  bool lone_block = false;  // the content is one block: the header then lists its plan alone
  bool end_written = false;

  std::vector<uint8_t> small;  // header, block header of a stored block, or end
  Bytes window;                // what output() gives out
  Bytes next_window;           // after it: the content of a stored block
  bool emptying = false;       // in_flight.front() is what the windows show

  std::unique_ptr<ThreadPool> pool;  // last: its destructor waits for workers that use the tasks

  void start();
  Status fail(Status error) {
    if (status.ok()) status = error;
    return status;
  }
  unsigned affordable_threads(bool has_numbers) const;
  // Content of the block being filled, when it is full. The first is as large as any, so that the rest of the content is
  // known to be more than one block.
  uint64_t block_size() const {
    const uint64_t largest = uint64_t{1} << block_size_log;
    return planner == nullptr ? largest : std::min(largest, planner->block_size(content_bytes - filling->size));
  }
  void make_planner();
  void submit();
  FrameHeader header() const;
  uint32_t plan_in_file(uint32_t plan) const { return lone_block ? std::min(plan, 1u) : plan; }
  void write_header();
  void show_block();
  void retire_block();
};

void Encoder::State::start() {
  const Result<LevelSettings> level = level_settings(options.level, options.window_log);
  if (!level.ok()) {
    status = level.status();
    return;
  }
  settings = *level;
  block_size_log = settings.block_size_log;
  block_content = block_content_limit(settings, options.content_size);
  const unsigned threads = affordable_threads(!options.regions.empty());
  if (threads == 0) {
    status = Status(Code::kMemoryLimit, "one thread needs more at this level and window");
    return;
  }
  max_tasks = blocks_in_flight(threads);
  pool = std::make_unique<ThreadPool>(threads);
}

unsigned Encoder::State::affordable_threads(bool has_numbers) const {
  return choose_threads(options.threads, block_count(options.content_size, block_size_log), options.limits.memory,
                        [&](unsigned n) { return encoder_memory(settings, block_content, n, has_numbers); });
}

// Where nobody has said what the numbers are, the header of a model file may. A file whose header makes no sense is
// one like any other; so is one for which there is not the memory.
void Encoder::State::make_planner() {
  std::vector<TypedRegion> regions = options.regions;
  if (regions.empty() && filling != nullptr) {
    MemorySource first_block(Bytes(filling->content.data(), filling->size));
    const uint64_t size = finished ? content_bytes : options.content_size;
    const Result<std::optional<ModelMap>> map = read_model_map(first_block, size);
    const unsigned threads = affordable_threads(true);
    if (map.ok() && map->has_value() && threads > 0) {
      regions = (*map)->regions();
      // Where memory is scarce, fewer blocks at once than the pool has threads.
      max_tasks = std::min(max_tasks, blocks_in_flight(threads));
    }
  }
  planner = std::make_unique<Planner>(settings, std::move(regions));
}

FrameHeader Encoder::State::header() const {
  FrameHeader header;
  header.content_size = lone_block ? content_bytes : options.content_size;
  header.block_size_log = static_cast<uint8_t>(block_size_log);
  uint64_t decoder_memory = 0;
  for (uint32_t plan = 0; plan < planner->plans().size(); ++plan) {
    if (lone_block && plan != kStoredPlan && (in_flight.empty() || plan != in_flight.front()->block.plan)) continue;
    PlanIds& ids = header.plans.emplace_back();
    for (const PlanStep& step : planner->plans()[plan]) {
      ids.push_back(static_cast<uint32_t>(step.id));
      decoder_memory = std::max(decoder_memory, find_transform(ids.back())->decoder_memory(header.max_block_content()));
    }
  }
  header.decoder_memory = (decoder_memory + kDecoderMemoryUnit - 1) / kDecoderMemoryUnit * kDecoderMemoryUnit;
  return header;
}

// Precondition: finished, or more than one block of content is there. Precondition for a lone block: it is encoded.
void Encoder::State::write_header() {
  small.clear();
  append_header(small, header());
  end.header_size = small.size();
  window = small;
  header_written = true;
}

void Encoder::State::submit() {
  if (planner == nullptr) make_planner();
  filling->planner = planner.get();
  filling->content_offset = content_bytes - filling->size;
  EncodeTask& task = *filling;
  in_flight.push_back(std::move(filling));
  // A thread is not worth starting for the only block there is.
  if (finished && in_flight.size() == 1) {
    task.run();
  } else {
    pool->submit(task);
  }
}

// Shows the encoded block at the front of in_flight in the windows.
void Encoder::State::show_block() {
  EncodeTask& task = *in_flight.front();
  const bool stored = task.block.plan == kStoredPlan;
  BlockHeader header;
  header.plan = plan_in_file(task.block.plan);
  header.content_offset = task.content_offset;
  header.content_size = task.size;
  header.stored_size = task.block.payload.size();
  header.content_hash = task.block.content_hash;
  const uint8_t* begin = store_block_header(task.payload_in_room(), header);
  const size_t header_size = static_cast<size_t>(task.payload_in_room() - begin);
  if (stored) {
    window = Bytes(begin, header_size);
    next_window = task.block.payload;
  } else {
    window = Bytes(begin, header_size + task.block.payload.size());
  }
  end.blocks.push_back({task.size, header_size + task.block.payload.size()});
  emptying = true;
}

void Encoder::State::retire_block() {
  free_tasks.push_back(std::move(in_flight.front()));
  in_flight.pop_front();
  emptying = false;
}

Encoder::Encoder(const EncodeOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
  state_->start();
}

Encoder::~Encoder() = default;

MutableBytes Encoder::input() {
  State& s = *state_;
  if (!s.status.ok() || s.finished) return {};
  if (s.filling == nullptr) {
    if (!s.free_tasks.empty()) {
      s.filling = std::move(s.free_tasks.back());
      s.free_tasks.pop_back();
    } else if (s.tasks < s.max_tasks) {
      s.filling = std::make_unique<EncodeTask>();
      s.filling->workspaces = &s.workspaces;
      ++s.tasks;
    } else {
      return {};
    }
    s.filling->size = 0;
    s.filling->block = {};
    // One byte more than announced, so that content that goes on beyond it is noticed.
    const uint64_t block_size = s.block_size();
    const size_t capacity = static_cast<size_t>(s.block_content < block_size ? s.block_content + 1 : block_size);
    if (const Status status = s.filling->content.reserve(capacity); !status.ok()) {
      s.status = status;
      return {};
    }
  }
  const size_t room = static_cast<size_t>(std::min<uint64_t>(s.filling->content.capacity(), s.block_size()));
  return MutableBytes(s.filling->content.data() + s.filling->size, room - s.filling->size);
}

Status Encoder::commit(size_t size) {
  State& s = *state_;
  if (!s.status.ok()) return s.status;
  if (size == 0) return {};
  const MutableBytes room = input();
  if (size > room.size()) return s.fail(Status(Code::kWrongOrder, "commit of more than input() gave"));
  s.hasher.update(Bytes(room.data(), size));
  s.filling->size += size;
  s.content_bytes += size;
  if (s.options.content_size != EncodeOptions::kUnknownSize && s.content_bytes > s.options.content_size) {
    return s.fail(Status(Code::kSizeMismatch, "there is more content than was announced"));
  }
  if (s.filling->size == s.block_size()) s.submit();
  return {};
}

Status Encoder::finish() {
  State& s = *state_;
  if (!s.status.ok()) return s.status;
  if (s.finished) return {};
  if (s.options.content_size != EncodeOptions::kUnknownSize && s.content_bytes != s.options.content_size) {
    return s.fail(Status(Code::kSizeMismatch, "there is less content than was announced"));
  }
  s.finished = true;
  s.lone_block = s.content_bytes <= uint64_t{1} << s.block_size_log;
  if (s.filling != nullptr && s.filling->size > 0) s.submit();
  if (s.planner == nullptr) s.make_planner();
  return {};
}

Result<Bytes> Encoder::output() {
  State& s = *state_;
  if (!s.status.ok()) return s.status;
  if (!s.window.empty()) return s.window;
  if (s.end_written) return Bytes{};
  // Until it is known whether there is more than one block, the header can't be written: it would depend on when
  // output() is called.
  if (!s.finished && s.content_bytes <= uint64_t{1} << s.block_size_log) return Bytes{};
  if (!s.in_flight.empty()) {
    EncodeTask& task = *s.in_flight.front();
    const bool nothing_else_to_do = s.finished || input().empty();
    if (nothing_else_to_do) {
      s.pool->wait(task);
    } else if (!s.pool->finished(task)) {
      return Bytes{};
    }
    if (!task.status.ok()) return s.fail(task.status);
  }
  if (!s.header_written) {
    s.write_header();
  } else if (!s.in_flight.empty()) {
    s.show_block();
  } else if (s.finished) {
    s.end.content_hash = s.hasher.digest();
    s.small.clear();
    append_end(s.small, s.end);
    s.window = s.small;
    s.end_written = true;
  }
  return s.window;
}

void Encoder::consume(size_t size) {
  State& s = *state_;
  size = std::min(size, s.window.size());
  s.window = s.window.subspan(size);
  s.frame_bytes += size;
  if (!s.window.empty()) return;
  s.window = s.next_window;
  s.next_window = {};
  if (s.window.empty() && s.emptying) s.retire_block();
}

bool Encoder::done() const {
  return state_->end_written && state_->window.empty();
}
const Status& Encoder::status() const {
  return state_->status;
}
uint64_t Encoder::content_bytes() const {
  return state_->content_bytes;
}
uint64_t Encoder::frame_bytes() const {
  return state_->frame_bytes;
}

Status validate(const EncodeOptions& options) {
  const Result<LevelSettings> settings = level_settings(options.level, options.window_log);
  return settings.ok() ? Status() : settings.status();
}

ResourceEstimate estimate(const EncodeOptions& options) {
  ResourceEstimate estimate;
  const Result<LevelSettings> settings = level_settings(options.level, options.window_log);
  if (!settings.ok()) return estimate;
  const uint64_t block_content = block_content_limit(*settings, options.content_size);
  const bool has_numbers = !options.regions.empty();
  const auto memory = [&](unsigned n) { return encoder_memory(*settings, block_content, n, has_numbers); };
  estimate.threads = choose_threads(options.threads, block_count(options.content_size, settings->block_size_log),
                                    options.limits.memory, memory);
  estimate.memory = memory(std::max(estimate.threads, 1u));
  return estimate;
}

}  // namespace glyd

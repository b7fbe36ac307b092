// The tensor transform by parts: taking elements apart and together for each element type, and whole blocks of bf16
// weights both ways. Counter `content`: bytes of content a second (G: 10^9).
#include <benchmark/benchmark.h>

#include "bench/bench_content.h"
#include "bench/entropy_content.h"
#include "codec/plan/level.h"
#include "codec/transform/tensor/element_fields.h"
#include "codec/transform/transform.h"

namespace glyd::bench {
namespace {

constexpr size_t kBlockSize = size_t{8} << 20;

void set_counter(benchmark::State& state, size_t size) {
  state.counters["content"] =
      benchmark::Counter(static_cast<double>(size), benchmark::Counter::kIsIterationInvariantRate);
}

// One chunk of a type, its elements and its fields.
struct Chunk {
  explicit Chunk(ElementType element_type) : type(element_type), count(tensor::chunk_elements(type)) {
    elements = noise_content(count * find_element_type(static_cast<uint64_t>(type))->size);
    for (const tensor::Field& field : tensor::fields_of(type)) fields.emplace_back(count * field.width);
    for (std::vector<uint8_t>& field : fields) pointers.push_back(field.data());
  }

  ElementType type;
  size_t count;
  std::vector<uint8_t> elements;
  std::vector<std::vector<uint8_t>> fields;
  std::vector<uint8_t*> pointers;
};

void split(benchmark::State& state, ElementType type) {
  Chunk chunk(type);
  for (auto _ : state) {
    tensor::split_elements(type, chunk.elements.data(), chunk.count, chunk.pointers);
    benchmark::ClobberMemory();
  }
  set_counter(state, chunk.elements.size());
}

void join(benchmark::State& state, ElementType type) {
  Chunk chunk(type);
  tensor::split_elements(type, chunk.elements.data(), chunk.count, chunk.pointers);
  const std::vector<const uint8_t*> fields(chunk.pointers.begin(), chunk.pointers.end());
  std::vector<uint8_t> joined(chunk.elements.size());
  for (auto _ : state) {
    tensor::join_elements(type, fields, chunk.count, joined.data());
    benchmark::ClobberMemory();
  }
  if (joined != chunk.elements) state.SkipWithError("joined elements differ from those that were split");
  set_counter(state, chunk.elements.size());
}

// What a level asks of a block that is all bf16 weights.
StepParameters parameters_of(int level, std::span<const TypedRegion> regions) {
  StepParameters parameters;
  const Result<LevelSettings> settings = level_settings(level, 0);
  if (settings.ok()) parameters = settings.value().parameters;
  parameters.regions = regions;
  return parameters;
}

// A block of bf16 weights and the transform's memory.
struct WeightBlock {
  explicit WeightBlock(int level) : parameters(parameters_of(level, std::span(&region, 1))) {}
  Result<size_t> encode() { return transform.encode(content, packed, parameters, workspace); }

  std::vector<uint8_t> content = weight_content("", kBlockSize);
  TypedRegion region{0, kBlockSize, ElementType::kBf16};
  StepParameters parameters;
  const Transform& transform = *find_transform(static_cast<uint32_t>(TransformId::kTensor));
  Workspace workspace;
  std::vector<uint8_t> packed = std::vector<uint8_t>(kBlockSize + 1024);
};

void set_block_counters(benchmark::State& state, size_t packed_size) {
  set_counter(state, kBlockSize);
  state.counters["bits"] = 16 * static_cast<double>(packed_size) / static_cast<double>(kBlockSize);
}

void encode_block(benchmark::State& state, int level) {
  WeightBlock block(level);
  size_t packed_size = 0;
  for (auto _ : state) {
    const Result<size_t> size = block.encode();
    if (!size.ok()) {
      state.SkipWithError(size.status().text().c_str());
      return;
    }
    packed_size = size.value();
    benchmark::ClobberMemory();
  }
  set_block_counters(state, packed_size);
}

void decode_block(benchmark::State& state, int level) {
  WeightBlock block(level);
  const Result<size_t> size = block.encode();
  if (!size.ok()) {
    state.SkipWithError(size.status().text().c_str());
    return;
  }
  std::vector<uint8_t> restored(kBlockSize);
  for (auto _ : state) {
    const Status status = block.transform.decode(Bytes(block.packed).first(size.value()), restored, block.workspace);
    if (!status.ok()) {
      state.SkipWithError(status.text().c_str());
      return;
    }
    benchmark::ClobberMemory();
  }
  if (restored != block.content) state.SkipWithError("the decoded block differs");
  set_block_counters(state, size.value());
}

BENCHMARK_CAPTURE(encode_block, bf16_level_1, 1);
BENCHMARK_CAPTURE(decode_block, bf16_level_1, 1);
BENCHMARK_CAPTURE(encode_block, bf16_level_3, 3);
BENCHMARK_CAPTURE(decode_block, bf16_level_3, 3);
BENCHMARK_CAPTURE(encode_block, bf16_level_19, 19);
BENCHMARK_CAPTURE(decode_block, bf16_level_19, 19);

// Registers a pair for each type that has fields.
const bool kTypesRegistered = [] {
  for (const ElementTypeInfo& info : kElementTypes) {
    if (tensor::fields_of(info.type).empty()) continue;
    const std::string name(info.name);
    benchmark::RegisterBenchmark(("split/" + name).c_str(), [=](benchmark::State& state) { split(state, info.type); });
    benchmark::RegisterBenchmark(("join/" + name).c_str(), [=](benchmark::State& state) { join(state, info.type); });
  }
  return true;
}();

}  // namespace
}  // namespace glyd::bench

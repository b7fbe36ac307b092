// Each transform by itself on one block of 1 MiB, in bytes of content a second both ways. Counter `ratio`: content
// size by encoded size.
#include <benchmark/benchmark.h>

#include "bench/bench_content.h"
#include "codec/plan/level.h"
#include "codec/transform/transform.h"

namespace glyd::bench {
namespace {

constexpr size_t kBlockSize = size_t{1} << 20;

struct Case {
  TransformId id;
  int level;
  std::vector<uint8_t> (*content)(size_t);
};

const Transform& transform_of(const Case& test_case) {
  return *find_transform(static_cast<uint32_t>(test_case.id));
}

StepParameters parameters_of(const Case& test_case) {
  StepParameters parameters;
  if (test_case.id == TransformId::kZstd) {
    const Result<LevelSettings> settings = level_settings(test_case.level, 0);
    if (settings.ok()) parameters = settings.value().parameters;
  }
  return parameters;
}

// Encodes the case's block once into `packed`, which is cut to size. False when that fails.
bool pack(const Case& test_case, Bytes block, std::vector<uint8_t>& packed) {
  Workspace workspace;
  packed.resize(block.size() + block.size() / 8 + 1024);
  const Result<size_t> size = transform_of(test_case).encode(block, packed, parameters_of(test_case), workspace);
  if (!size.ok()) return false;
  packed.resize(size.value());
  return true;
}

void encode_block(benchmark::State& state, const Case& test_case) {
  const std::vector<uint8_t> block = test_case.content(kBlockSize);
  const StepParameters parameters = parameters_of(test_case);
  std::vector<uint8_t> output(kBlockSize + kBlockSize / 8 + 1024);
  Workspace workspace;
  size_t size = 0;
  for (auto _ : state) {
    const Result<size_t> result = transform_of(test_case).encode(block, output, parameters, workspace);
    if (!result.ok()) {
      state.SkipWithError(result.status().text().c_str());
      return;
    }
    size = result.value();
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kBlockSize));
  state.counters["ratio"] = static_cast<double>(kBlockSize) / static_cast<double>(size);
}

void decode_block(benchmark::State& state, const Case& test_case) {
  const std::vector<uint8_t> block = test_case.content(kBlockSize);
  std::vector<uint8_t> packed;
  if (!pack(test_case, block, packed)) {
    state.SkipWithError("the block cannot be encoded");
    return;
  }
  std::vector<uint8_t> output(kBlockSize);
  Workspace workspace;
  for (auto _ : state) {
    const Status status = transform_of(test_case).decode(packed, output, workspace);
    if (!status.ok()) {
      state.SkipWithError(status.text().c_str());
      return;
    }
    benchmark::ClobberMemory();
  }
  if (output != block) state.SkipWithError("decoded bytes differ from the block");
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kBlockSize));
}

#define GLYD_TRANSFORM_CASE(name, ...)                        \
  BENCHMARK_CAPTURE(encode_block, name, (Case{__VA_ARGS__})); \
  BENCHMARK_CAPTURE(decode_block, name, (Case{__VA_ARGS__}))

GLYD_TRANSFORM_CASE(zstd_fast5_text, TransformId::kZstd, -5, text_content);
GLYD_TRANSFORM_CASE(zstd_1_text, TransformId::kZstd, 1, text_content);
GLYD_TRANSFORM_CASE(zstd_3_text, TransformId::kZstd, 3, text_content);
GLYD_TRANSFORM_CASE(zstd_3_runs, TransformId::kZstd, 3, run_content);
GLYD_TRANSFORM_CASE(zstd_9_text, TransformId::kZstd, 9, text_content);
GLYD_TRANSFORM_CASE(zstd_19_text, TransformId::kZstd, 19, text_content);
GLYD_TRANSFORM_CASE(lz4_text, TransformId::kLz4, 0, text_content);
GLYD_TRANSFORM_CASE(lz4_runs, TransformId::kLz4, 0, run_content);
GLYD_TRANSFORM_CASE(run_length_runs, TransformId::kRunLength, 0, run_content);
GLYD_TRANSFORM_CASE(run_length_text, TransformId::kRunLength, 0, text_content);

}  // namespace
}  // namespace glyd::bench

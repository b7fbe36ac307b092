// The checksums of the format: of a block (XXH64) and of the whole content (XXH3-128), in bytes a second.
#include <benchmark/benchmark.h>

#include "bench/bench_content.h"
#include "codec/base/hash.h"

namespace glyd::bench {
namespace {

void block_check_xxh64(benchmark::State& state) {
  const std::vector<uint8_t> bytes = noise_content(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(xxh64(bytes));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(block_check_xxh64)->Arg(64)->Arg(4 << 10)->Arg(4 << 20);

void content_hash_xxh3(benchmark::State& state) {
  const std::vector<uint8_t> bytes = noise_content(static_cast<size_t>(state.range(0)));
  ContentHasher hasher;
  for (auto _ : state) {
    hasher.update(bytes);
    benchmark::DoNotOptimize(hasher.digest());
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(content_hash_xxh3)->Arg(64)->Arg(4 << 10)->Arg(4 << 20);

}  // namespace
}  // namespace glyd::bench

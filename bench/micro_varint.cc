// Variable-length integers of headers and operations: numbers a second, for numbers of up to 7, 14, 32 and 64 bits.
#include <benchmark/benchmark.h>

#include "bench/bench_content.h"
#include "codec/base/bytes.h"

namespace glyd::bench {
namespace {

constexpr size_t kNumbers = 4096;

std::vector<uint64_t> numbers_of_bits(int64_t bits) {
  std::vector<uint64_t> numbers(kNumbers);
  uint64_t state = 4;
  // Every length up to `bits` turns up, as it does among sizes.
  for (uint64_t& number : numbers) {
    const uint64_t length = 1 + next_random(state) % static_cast<uint64_t>(bits);
    number = next_random(state) >> (64 - length);
  }
  return numbers;
}

void store_varints(benchmark::State& state) {
  const std::vector<uint64_t> numbers = numbers_of_bits(state.range(0));
  std::vector<uint8_t> bytes(kNumbers * kMaxVarintSize);
  for (auto _ : state) {
    uint8_t* p = bytes.data();
    for (const uint64_t number : numbers) p = store_varint(p, number);
    benchmark::DoNotOptimize(p);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kNumbers));
}
BENCHMARK(store_varints)->Arg(7)->Arg(14)->Arg(32)->Arg(64);

void read_varints(benchmark::State& state) {
  std::vector<uint8_t> bytes;
  for (const uint64_t number : numbers_of_bits(state.range(0))) append_varint(bytes, number);
  for (auto _ : state) {
    ByteReader reader(bytes);
    uint64_t sum = 0;
    for (size_t i = 0; i < kNumbers; ++i) sum += reader.read_varint();
    benchmark::DoNotOptimize(sum);
    if (!reader.ok()) state.SkipWithError("the numbers written cannot be read");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kNumbers));
}
BENCHMARK(read_varints)->Arg(7)->Arg(14)->Arg(32)->Arg(64);

}  // namespace
}  // namespace glyd::bench

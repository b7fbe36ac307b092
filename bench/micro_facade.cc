// Encoder and Decoder whole, from memory to memory, with 1 and 2 threads: 64 MiB of text. Wall time counts, since
// the work is done by other threads. Arguments: level, threads.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "bench/bench_content.h"
#include "codec/codec.h"

namespace glyd::bench {
namespace {

constexpr size_t kContentSize = size_t{64} << 20;

const std::vector<uint8_t>& content() {
  static const std::vector<uint8_t> bytes = text_content(kContentSize);
  return bytes;
}

// Drives a pump (Encoder or Decoder) over `input` and appends what comes out to `output`. Both have the same form.
template <typename Pump>
Status drive(Pump& pump, Bytes input, std::vector<uint8_t>& output) {
  bool finished = false;
  while (!pump.done()) {
    const MutableBytes room = pump.input();
    if (!room.empty() && !finished) {
      const size_t size = std::min(room.size(), input.size());
      std::copy_n(input.data(), size, room.data());
      input = input.subspan(size);
      Status status = pump.commit(size);
      if (status.ok() && input.empty()) {
        status = pump.finish();
        finished = true;
      }
      if (!status.ok()) return status;
    }
    const Result<Bytes> ready = pump.output();
    if (!ready.ok()) return ready.status();
    output.insert(output.end(), ready.value().begin(), ready.value().end());
    pump.consume(ready.value().size());
  }
  return {};
}

EncodeOptions options_of(const benchmark::State& state) {
  EncodeOptions options;
  options.level = static_cast<int>(state.range(0));
  options.threads = static_cast<unsigned>(state.range(1));
  options.content_size = kContentSize;
  return options;
}

void encode_text(benchmark::State& state) {
  const EncodeOptions options = options_of(state);
  std::vector<uint8_t> frame;
  frame.reserve(kContentSize);
  for (auto _ : state) {
    frame.clear();
    Encoder encoder(options);
    const Status status = drive(encoder, content(), frame);
    if (!status.ok()) {
      state.SkipWithError(status.text().c_str());
      return;
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kContentSize));
  state.counters["ratio"] = static_cast<double>(kContentSize) / static_cast<double>(frame.size());
}

void decode_text(benchmark::State& state) {
  const Result<std::vector<uint8_t>> frame = compress(content(), options_of(state));
  if (!frame.ok()) {
    state.SkipWithError(frame.status().text().c_str());
    return;
  }
  DecodeOptions options;
  options.threads = static_cast<unsigned>(state.range(1));
  std::vector<uint8_t> restored;
  restored.reserve(kContentSize);
  for (auto _ : state) {
    restored.clear();
    Decoder decoder(options);
    const Status status = drive(decoder, frame.value(), restored);
    if (!status.ok()) {
      state.SkipWithError(status.text().c_str());
      return;
    }
  }
  if (restored != content()) state.SkipWithError("restored content differs");
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kContentSize));
}

void levels_and_threads(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"level", "threads"})->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const int level : {kLevelLz4, 1, kDefaultLevel}) {
    for (const int threads : {1, 2}) benchmark->Args({level, threads});
  }
}
BENCHMARK(encode_text)->Apply(levels_and_threads);
BENCHMARK(decode_text)->Apply(levels_and_threads);

}  // namespace
}  // namespace glyd::bench

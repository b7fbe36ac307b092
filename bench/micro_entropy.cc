// The stages of codec/entropy by themselves: histograms, Huffman and rANS blocks and packed weights, both ways.
//
//     micro_entropy [--weights=FILE] [--text=FILE] [--block_kib=N] [flags of Google Benchmark]
//
// Counter `symbols` is bytes of content a second (G: 10^9); `bits` is what a symbol takes, tables included, and `entropy`
// what it takes at least with one distribution for each block. Packed weights are counted in bytes of bf16, and `bits` is
// for a weight. Names: stage/content/parameters.
#include <benchmark/benchmark.h>

#include <charconv>
#include <cstdio>
#include <string_view>

#include "bench/entropy_content.h"
#include "codec/entropy/histogram.h"
#include "codec/entropy/huffman/huffman_block.h"
#include "codec/entropy/rans/rans_block.h"
#include "codec/entropy/weights/weight_packer.h"
#include "codec/entropy/weights/weight_unpacker.h"

namespace glyd::bench {
namespace {

constexpr size_t kContentSize = size_t{4} << 20;

// Content cut into blocks; the last part that does not fill one is left out.
struct Blocks {
  const SymbolContent* content;
  size_t block_size;

  size_t count() const { return content->symbols.size() / block_size; }
  Bytes operator[](size_t i) const { return Bytes(content->symbols).subspan(i * block_size, block_size); }
  double entropy() const {
    double bits = 0;
    for (size_t i = 0; i < count(); ++i) bits += entropy_bits(count_symbols((*this)[i]));
    return bits / static_cast<double>(count() * block_size);
  }
};

void set_counters(benchmark::State& state, const Blocks& blocks, uint64_t packed_bytes) {
  const auto symbols = static_cast<double>(blocks.count() * blocks.block_size);
  state.counters["symbols"] = benchmark::Counter(symbols, benchmark::Counter::kIsIterationInvariantRate);
  if (packed_bytes > 0) {
    state.counters["bits"] = 8 * static_cast<double>(packed_bytes) / symbols;
    state.counters["entropy"] = blocks.entropy();
  }
}

void histogram(benchmark::State& state, const Blocks& blocks) {
  for (auto _ : state) {
    for (size_t i = 0; i < blocks.count(); ++i) benchmark::DoNotOptimize(count_symbols(blocks[i]));
  }
  set_counters(state, blocks, 0);
}

// A coder has: size_t bound(size_t), a type Model, Model model(Bytes), size_t encode(Bytes, const Model&, MutableBytes),
// Status decode(Bytes, MutableBytes).
struct HuffmanCoder {
  using Model = huffman::BlockCode;
  unsigned limit;
  huffman::DecodeTable table{};

  static size_t bound(size_t size) { return huffman::block_bound(size); }
  Model model(Bytes symbols) const { return huffman::make_code(count_symbols(symbols), limit); }
  size_t encode(Bytes symbols, const Model& code, MutableBytes output) const {
    return huffman::encode_block(symbols, code, output);
  }
  Status decode(Bytes block, MutableBytes symbols) { return huffman::decode_block(block, symbols, table); }
};

struct RansCoder {
  using Model = rans::Model;
  rans::Implementation implementation;
  unsigned bits;
  unsigned ways;
  rans::DecodeTable table{};

  static size_t bound(size_t size) { return rans::block_bound(size); }
  Model model(Bytes symbols) const { return rans::normalise(count_symbols(symbols), bits); }
  size_t encode(Bytes symbols, const Model& model, MutableBytes output) const {
    return rans::encode_block(symbols, model, ways, output, implementation);
  }
  Status decode(Bytes block, MutableBytes symbols) { return rans::decode_block(block, symbols, table, implementation); }
};

// Counting, modelling and encoding, as a file's block needs it.
template <typename Coder>
void pack(benchmark::State& state, const Blocks& blocks, const Coder& coder) {
  std::vector<uint8_t> output(Coder::bound(blocks.block_size));
  uint64_t packed = 0;
  for (auto _ : state) {
    packed = 0;
    for (size_t i = 0; i < blocks.count(); ++i) packed += coder.encode(blocks[i], coder.model(blocks[i]), output);
    benchmark::ClobberMemory();
  }
  set_counters(state, blocks, packed);
}

// Counting and modelling alone.
template <typename Coder>
void make_model(benchmark::State& state, const Blocks& blocks, const Coder& coder) {
  for (auto _ : state) {
    for (size_t i = 0; i < blocks.count(); ++i) benchmark::DoNotOptimize(coder.model(blocks[i]));
  }
  set_counters(state, blocks, 0);
}

template <typename Coder>
void encode(benchmark::State& state, const Blocks& blocks, const Coder& coder) {
  std::vector<typename Coder::Model> models;
  for (size_t i = 0; i < blocks.count(); ++i) models.push_back(coder.model(blocks[i]));
  std::vector<uint8_t> output(Coder::bound(blocks.block_size));
  uint64_t packed = 0;
  for (auto _ : state) {
    packed = 0;
    for (size_t i = 0; i < blocks.count(); ++i) packed += coder.encode(blocks[i], models[i], output);
    benchmark::ClobberMemory();
  }
  set_counters(state, blocks, packed);
}

// Tables are read and built from every block.
template <typename Coder>
void decode(benchmark::State& state, const Blocks& blocks, Coder coder) {
  std::vector<std::vector<uint8_t>> packed;
  uint64_t packed_bytes = 0;
  for (size_t i = 0; i < blocks.count(); ++i) {
    std::vector<uint8_t>& block = packed.emplace_back(Coder::bound(blocks.block_size));
    block.resize(coder.encode(blocks[i], coder.model(blocks[i]), block));
    packed_bytes += block.size();
  }
  std::vector<uint8_t> symbols(blocks.count() * blocks.block_size);
  for (auto _ : state) {
    for (size_t i = 0; i < blocks.count(); ++i) {
      const Status status =
          coder.decode(packed[i], MutableBytes(symbols).subspan(i * blocks.block_size, blocks.block_size));
      if (!status.ok()) {
        state.SkipWithError(status.text().c_str());
        return;
      }
    }
    benchmark::ClobberMemory();
  }
  if (!std::equal(symbols.begin(), symbols.end(), blocks.content->symbols.begin())) {
    state.SkipWithError("decoded symbols differ from the content");
  }
  set_counters(state, blocks, packed_bytes);
}

template <typename Function>
void add_stage(const std::string& stage, const Blocks& blocks, const std::string& parameters, Function function) {
  const std::string name = stage + "/" + blocks.content->name + (parameters.empty() ? "" : "/" + parameters);
  benchmark::RegisterBenchmark(name.c_str(), function);
}

template <typename Coder>
void add_model(const std::string& stage, const std::string& parameters, const Blocks& blocks, const Coder& coder) {
  add_stage(stage + "_model", blocks, parameters, [=](benchmark::State& state) { make_model(state, blocks, coder); });
}

template <typename Coder>
void add_coder(const std::string& stage, const std::string& parameters, const Blocks& blocks, const Coder& coder) {
  add_stage(stage + "_encode", blocks, parameters, [=](benchmark::State& state) { encode(state, blocks, coder); });
  add_stage(stage + "_pack", blocks, parameters, [=](benchmark::State& state) { pack(state, blocks, coder); });
  add_stage(stage + "_decode", blocks, parameters, [=](benchmark::State& state) { decode(state, blocks, coder); });
}

size_t symbol_kinds(const Blocks& blocks) {
  size_t most = 0;
  for (size_t i = 0; i < blocks.count(); ++i) {
    const Histogram counts = count_symbols(blocks[i]);
    most = std::max(most, counts.size() - static_cast<size_t>(std::count(counts.begin(), counts.end(), 0U)));
  }
  return most;
}

void register_stages(const Blocks& blocks) {
  add_stage("histogram", blocks, "", [=](benchmark::State& state) { histogram(state, blocks); });
  const size_t kinds = symbol_kinds(blocks);
  for (const unsigned limit : {6U, 11U, 12U}) {
    // A code of 6 bits has no room for more symbols than 64.
    if (kinds > size_t{1} << limit) continue;
    const std::string parameters = "limit:" + std::to_string(limit);
    add_model("huffman", parameters, blocks, HuffmanCoder{limit});
    add_coder("huffman", parameters, blocks, HuffmanCoder{limit});
  }
  for (const unsigned bits : {12U, 14U}) {
    const std::string bits_text = "bits:" + std::to_string(bits);
    add_model("rans", bits_text, blocks, RansCoder{rans::best_implementation(), bits, 32});
    for (const rans::Implementation implementation : rans::implementations()) {
      for (const unsigned ways : {8U, 16U, 32U}) {
        const std::string parameters =
            std::string(rans::implementation_name(implementation)) + "/" + bits_text + "/ways:" + std::to_string(ways);
        add_coder("rans", parameters, blocks, RansCoder{implementation, bits, ways});
      }
    }
  }
}

constexpr uint64_t kColumns = 1024;

void set_weight_counters(benchmark::State& state, size_t matrix_size, double bits) {
  state.counters["symbols"] =
      benchmark::Counter(static_cast<double>(matrix_size), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bits"] = bits;
}

void pack_matrix(benchmark::State& state, Bytes matrix, const weights::PackOptions& options) {
  double bits = 0;
  for (auto _ : state) {
    const auto packed = weights::pack_weights(matrix, matrix.size() / 2 / kColumns, kColumns, options);
    if (!packed.ok()) {
      state.SkipWithError(packed.status().text().c_str());
      return;
    }
    bits = packed.value().report.bits_per_weight;
  }
  set_weight_counters(state, matrix.size(), bits);
}

void unpack_matrix(benchmark::State& state, Bytes matrix, const weights::PackOptions& options) {
  const auto packed = weights::pack_weights(matrix, matrix.size() / 2 / kColumns, kColumns, options);
  if (!packed.ok()) {
    state.SkipWithError(packed.status().text().c_str());
    return;
  }
  const auto unpacker = weights::WeightUnpacker::open(packed.value().bytes);
  std::vector<uint8_t> output(matrix.size());
  for (auto _ : state) {
    const Status status = unpacker.ok() ? unpacker.value().unpack(output) : unpacker.status();
    if (!status.ok()) {
      state.SkipWithError(status.text().c_str());
      return;
    }
    benchmark::ClobberMemory();
  }
  if (!std::equal(matrix.begin(), matrix.end(), output.begin())) {
    state.SkipWithError("unpacked weights differ from the matrix");
  }
  set_weight_counters(state, matrix.size(), packed.value().report.bits_per_weight);
}

void register_weights(Bytes matrix) {
  for (const auto& [name, layout] :
       {std::pair{"fast", weights::Layout::kFast}, std::pair{"dense", weights::Layout::kDense}}) {
    weights::PackOptions options;
    options.layout = layout;
    benchmark::RegisterBenchmark((std::string("weights_pack/weights/") + name).c_str(),
                                 [=](benchmark::State& state) { pack_matrix(state, matrix, options); });
    benchmark::RegisterBenchmark((std::string("weights_decode/weights/") + name).c_str(),
                                 [=](benchmark::State& state) { unpack_matrix(state, matrix, options); });
  }
}

// The value of "--name=value" when `word` is that, else nullptr.
const char* flag_value(std::string_view word, std::string_view name) {
  return word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=' ? word.data() + name.size() + 1
                                                                                         : nullptr;
}

}  // namespace

int run_entropy_benchmarks(int argument_count, char** arguments) {
  std::string weights;
  std::string text;
  size_t block_kib = 128;
  int kept = 1;
  for (int i = 1; i < argument_count; ++i) {
    if (const char* value = flag_value(arguments[i], "--weights")) {
      weights = value;
    } else if (const char* value_of_text = flag_value(arguments[i], "--text")) {
      text = value_of_text;
    } else if (const char* digits = flag_value(arguments[i], "--block_kib")) {
      std::from_chars(digits, digits + std::char_traits<char>::length(digits), block_kib);
    } else {
      arguments[kept++] = arguments[i];
    }
  }
  benchmark::Initialize(&kept, arguments);
  if (benchmark::ReportUnrecognizedArguments(kept, arguments)) return 1;
  const std::vector<SymbolContent> contents = entropy_content(weights, text, kContentSize);
  if (block_kib < 1 || block_kib << 10 > kContentSize) {
    std::fputs("micro_entropy: --block_kib is from 1 to 4096\n", stderr);
    return 1;
  }
  benchmark::AddCustomContext("block_kib", std::to_string(block_kib));
  for (const SymbolContent& content : contents) register_stages(Blocks{&content, block_kib << 10});
  std::vector<uint8_t> matrix = weight_content(weights, kContentSize);
  matrix.resize(matrix.size() / (2 * kColumns) * (2 * kColumns));
  if (!matrix.empty()) register_weights(matrix);
#ifdef GLYD_HAS_HUFF0
  register_huff0(contents, std::min(block_kib << 10, size_t{128} << 10));
#endif
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace glyd::bench

int main(int argument_count, char** arguments) {
  return glyd::bench::run_entropy_benchmarks(argument_count, arguments);
}

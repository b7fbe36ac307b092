// zstd's literal coder, huff0, on the same bytes in the same run as our stages (micro_entropy.cc), for comparison only.
// Built when CMake is given -DGLYD_HUFF0_SOURCE=DIR, the folder `lib` of zstd's sources 1.5.4; nothing of it is here.
#include <benchmark/benchmark.h>

#include <array>

#include "bench/entropy_content.h"

#define HUF_STATIC_LINKING_ONLY
#include <huf.h>

namespace glyd::bench {
namespace {

constexpr unsigned kTableLog = HUF_TABLELOG_DEFAULT;  // what zstd uses for literals

// zstd's own choice: the BMI2 and assembly path where the processor has it.
int processor_flags() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("bmi2") ? HUF_flags_bmi2 : 0;
#else
  return 0;
#endif
}

enum class Decoder { kChosen, kOneSymbol, kTwoSymbols };

struct Huff0Blocks {
  const SymbolContent* content;
  size_t block_size;

  size_t count() const { return content->symbols.size() / block_size; }
  const uint8_t* operator[](size_t i) const { return content->symbols.data() + i * block_size; }
};

struct Memory {
  std::array<HUF_CElt, HUF_CTABLE_SIZE_ST(255)> code{};
  std::array<HUF_DTable, HUF_DTABLE_SIZE(HUF_TABLELOG_MAX)> table{};
  std::array<uint64_t, HUF_WORKSPACE_SIZE_U64> workspace{};
};

// Encodes one block into `output`; 0 when huff0 finds that it does not shrink or all symbols are one.
size_t pack_block(const Huff0Blocks& blocks, size_t i, Memory& memory, std::vector<uint8_t>& output) {
  HUF_repeat repeat = HUF_repeat_none;
  const size_t size = HUF_compress4X_repeat(output.data(), output.size(), blocks[i], blocks.block_size, 255, kTableLog,
                                            memory.workspace.data(), sizeof memory.workspace, memory.code.data(),
                                            &repeat, processor_flags());
  return HUF_isError(size) || size == 1 ? 0 : size;
}

void set_counters(benchmark::State& state, const Huff0Blocks& blocks, uint64_t packed_bytes) {
  const auto symbols = static_cast<double>(blocks.count() * blocks.block_size);
  state.counters["symbols"] = benchmark::Counter(symbols, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bits"] = 8 * static_cast<double>(packed_bytes) / symbols;
}

void huff0_pack(benchmark::State& state, const Huff0Blocks& blocks) {
  Memory memory;
  std::vector<uint8_t> output(HUF_compressBound(blocks.block_size));
  uint64_t packed = 0;
  for (auto _ : state) {
    packed = 0;
    for (size_t i = 0; i < blocks.count(); ++i) {
      const size_t size = pack_block(blocks, i, memory, output);
      packed += size > 0 ? size : blocks.block_size;
    }
    benchmark::ClobberMemory();
  }
  set_counters(state, blocks, packed);
}

// One block with its table; false when it is damaged.
bool unpack_block(const std::vector<uint8_t>& block, uint8_t* symbols, size_t count, Decoder decoder, Memory& memory) {
  memory.table[0] = static_cast<HUF_DTable>(HUF_TABLELOG_MAX * 0x01000001);
  const int flags = processor_flags();
  if (decoder == Decoder::kChosen) {
    return HUF_decompress4X_hufOnly_wksp(memory.table.data(), symbols, count, block.data(), block.size(),
                                         memory.workspace.data(), sizeof memory.workspace, flags) == count;
  }
  const auto read_table = decoder == Decoder::kOneSymbol ? HUF_readDTableX1_wksp : HUF_readDTableX2_wksp;
  const size_t header = read_table(memory.table.data(), block.data(), block.size(), memory.workspace.data(),
                                   sizeof memory.workspace, flags);
  if (HUF_isError(header)) return false;
  return HUF_decompress4X_usingDTable(symbols, count, block.data() + header, block.size() - header, memory.table.data(),
                                      flags) == count;
}

void huff0_decode(benchmark::State& state, const Huff0Blocks& blocks, Decoder decoder) {
  Memory memory;
  std::vector<std::vector<uint8_t>> packed;
  uint64_t packed_bytes = 0;
  for (size_t i = 0; i < blocks.count(); ++i) {
    std::vector<uint8_t>& block = packed.emplace_back(HUF_compressBound(blocks.block_size));
    block.resize(pack_block(blocks, i, memory, block));
    packed_bytes += block.size();
  }
  std::vector<uint8_t> symbols(blocks.count() * blocks.block_size);
  for (auto _ : state) {
    for (size_t i = 0; i < blocks.count(); ++i) {
      if (!unpack_block(packed[i], symbols.data() + i * blocks.block_size, blocks.block_size, decoder, memory)) {
        state.SkipWithError("huff0 finds the block damaged");
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

// Whether huff0 encodes every block; it leaves those alone of which little would be saved.
bool has_code(const Huff0Blocks& blocks) {
  Memory memory;
  std::vector<uint8_t> output(HUF_compressBound(blocks.block_size));
  for (size_t i = 0; i < blocks.count(); ++i) {
    if (pack_block(blocks, i, memory, output) == 0) return false;
  }
  return true;
}

}  // namespace

void register_huff0(const std::vector<SymbolContent>& contents, size_t block_size) {
  for (const SymbolContent& content : contents) {
    const Huff0Blocks blocks{&content, block_size};
    benchmark::RegisterBenchmark(("huff0_pack/" + content.name).c_str(),
                                 [=](benchmark::State& state) { huff0_pack(state, blocks); });
    if (!has_code(blocks)) continue;
    for (const auto& [name, decoder] : {std::pair{"chosen", Decoder::kChosen}, std::pair{"4X1", Decoder::kOneSymbol},
                                        std::pair{"4X2", Decoder::kTwoSymbols}}) {
      benchmark::RegisterBenchmark(
          ("huff0_decode/" + content.name + "/" + name).c_str(),
          [=, decoder = decoder](benchmark::State& state) { huff0_decode(state, blocks, decoder); });
    }
  }
}

}  // namespace glyd::bench

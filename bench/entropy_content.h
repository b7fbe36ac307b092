#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The symbols that micro_entropy works on, and the stages of zstd beside ours.
namespace glyd::bench {

// Bytes of one kind and what results call them.
struct SymbolContent {
  std::string name;
  std::vector<uint8_t> symbols;
};

// Five kinds, `size` bytes each (fewer when a file is shorter): "exponent" and "mantissa" (with the sign) of the bf16
// weights in the file `weights`, "text" from the file `text`, "skewed" (half of the symbols are the most frequent one,
// half of the rest the next, and so on) and "flat" (all 256 alike). `weights` is a safetensors file of bf16 tensors, whose
// header is skipped, or an array without a header. Where a name is empty or the file cannot be read, Gaussian weights or
// made-up text take its place.
std::vector<SymbolContent> entropy_content(const std::string& weights, const std::string& text, size_t size);

// `size` bytes of the same bf16 weights as they are (fewer when the file is shorter).
std::vector<uint8_t> weight_content(const std::string& weights, size_t size);

// Registers the Huffman stages of zstd's library (huff0) on each content, in blocks of `block_size` bytes, at most
// 128 KiB; decoding only where huff0 finds something to gain. Only in builds with GLYD_HUFF0_SOURCE. `contents` must live until the benchmarks have run.
void register_huff0(const std::vector<SymbolContent>& contents, size_t block_size);

}  // namespace glyd::bench

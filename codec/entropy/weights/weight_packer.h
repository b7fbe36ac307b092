#pragma once

#include <vector>

#include "codec/base/bytes.h"
#include "codec/entropy/weights/block_layout.h"
#include "codec/entropy/weights/weight_survey.h"

// Packs a matrix of bf16 weights to the one block of bytes of spec.md, which lies in a file and in VRAM alike.
namespace glyd::weights {

struct PackOptions {
  Layout layout = Layout::kFast;
  // For kDense. Longest code word, 4 to 8: the decoder's pair table has 4 * 4^code_limit bytes, 16 KiB at 6.
  uint32_t code_limit = 6;
  // For kDense. Columns from an entry point to the next: a power of two, 64 to 16,384. A point takes 68 bytes a strip.
  uint32_t entry_columns = 1024;
};

struct PackReport {
  double bits_per_weight = 0;  // of all bytes, headers and padding included
  uint64_t weights = 0;
  uint64_t patches = 0;      // kFast: weights outside the window; kDense: escapes, those of padding included
  ExponentWindow window;     // kFast
  uint64_t stream_bits = 0;  // kDense: code words, without the padding of streams
  uint64_t word_bits = 0;    // kDense: code words, with it
};

struct PackedWeights {
  std::vector<uint8_t> bytes;
  PackReport report;
};

// Packs `matrix`, row-major little-endian bf16. The result depends on the arguments alone. Memory: the result, and some
// KiB. Any bit patterns come back as they were; where they are not like weights the result may be larger than the
// matrix (`fast`: up to 27 bits a weight), so look at the report, or at survey_weights() before.
// Errors: kInvalidArgument for rows or columns of 0, a size that is not rows * columns * 2, an option out of range, or a
// matrix too large for the layout (2^31 blocks, 2^32 patches or rows of words).
Result<PackedWeights> pack_weights(Bytes matrix, uint64_t rows, uint64_t columns, const PackOptions& options);

}  // namespace glyd::weights

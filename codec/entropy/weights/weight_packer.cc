#include "codec/entropy/weights/weight_packer.h"

#include "codec/entropy/weights/code_table.h"
#include "codec/entropy/weights/fragment_order.h"
#include "codec/entropy/weights/lane_decode.h"

namespace glyd::weights {
namespace {

constexpr uint64_t kMaxItems = (uint64_t{1} << 32) - 1;

// What all layouts' writers share: the input, and the output once its size is known.
struct PackJob {
  Bytes matrix;
  PackedHeader header{};
  std::vector<uint8_t> bytes;

  BlockFrame frame(uint32_t strip, uint32_t column_block) const {
    return block_frame(header.rows, header.columns, strip, column_block);
  }
  // Precondition: the header's counts are final.
  void allocate() {
    place_sections(header);
    bytes.resize(static_cast<size_t>(header.total_bytes));
    std::memcpy(bytes.data(), &header, sizeof header);
  }
  uint8_t* at(uint64_t section, uint64_t byte = 0) { return bytes.data() + section + byte; }
};

// ---- fast ----

// Eight codes, a byte each, to a nibble each.
uint32_t nibbles_of(const uint8_t* codes) {
  uint64_t value = load_le<uint64_t>(codes);
  value = (value | value >> 4) & 0x00FF00FF00FF00FFu;
  value = (value | value >> 8) & 0x0000FFFF0000FFFFu;
  return static_cast<uint32_t>(value | value >> 16);
}

// Codes of a block by place to the three words of each lane.
void store_codes(const uint8_t* codes, uint8_t* words) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t last = nibbles_of(codes + place_of(lane, 24));
    for (uint32_t word = 0; word < 3; ++word) {
      const uint32_t own = nibbles_of(codes + place_of(lane, 8 * word));
      store_le(words + (word * kLanes + lane) * 4, own | (last >> word & 0x11111111u) << 3);
    }
  }
}

// Writes a block, and a patch at `patch` for each weight outside the window. Returns the end of the patches.
uint8_t* write_fast_block(const Block& block, uint32_t window_base, uint8_t* bytes, uint8_t* patch) {
  std::array<uint8_t, kBlockWeights> codes;
  std::array<uint8_t, kBlockWeights> outside;
  // A loop without branches, of which compilers make vectors.
  for (uint32_t place = 0; place < kBlockWeights; ++place) {
    const uint32_t upper = block[place] >> 8 & 127;
    const uint32_t index = upper - window_base;
    outside[place] = index >= kWindowValues;
    // Of the window's values one whose last bit is that of `upper`: a patch has no bit for it.
    const uint32_t coded = index >= kWindowValues ? index & 1 : index;
    bytes[place] = static_cast<uint8_t>(block[place]);
    codes[place] = static_cast<uint8_t>((uint32_t{block[place]} >> 15 << 2) | coded);
  }
  for (uint32_t first = 0; first < kBlockWeights; first += 8) {
    if (load_le<uint64_t>(outside.data() + first) == 0) continue;
    for (uint32_t place = first; place < first + 8; ++place) {
      if (outside[place] == 0) continue;
      const uint32_t upper = block[place] >> 8 & 127;
      const uint32_t change = upper ^ (window_base + (codes[place] & 1));
      store_le(patch, static_cast<uint16_t>(place | change << 9));
      patch += 2;
    }
  }
  store_codes(codes.data(), bytes + kBlockWeights);
  return patch;
}

Status write_fast(PackJob& job, PackReport& report) {
  const ExponentWindow window = best_window(survey_weights(job.matrix));
  if (window.outside > kMaxItems) return Status(Code::kInvalidArgument, "too many weights outside the window");
  report.window = window;
  job.header.window_base = window.base;
  job.header.exponent_shift = window.shift;
  job.header.patch_count = window.outside;
  job.allocate();
  const PackedHeader& header = job.header;
  const uint16_t first = static_cast<uint16_t>(window.base << 8);
  const uint16_t padding = window.shift ? unshifted_weight(first) : first;
  uint8_t* const patches = job.at(header.patches_offset);
  uint8_t* patch = patches;
  Block block;
  // In the order of block indices, which is that of the patch list: bands, columns, strips.
  for (uint32_t band = 0; band < strip_count(header); band += kBandStrips) {
    const uint32_t band_end = band + band_strips(header, band);
    for (uint32_t column_block = 0; column_block < strip_blocks(header); ++column_block) {
      for (uint32_t strip = band; strip < band_end; ++strip) {
        gather_block(job.matrix, job.frame(strip, column_block), padding, block);
        if (window.shift) std::ranges::transform(block, block.begin(), shifted_weight);
        const uint64_t index = block_index(header, strip, column_block);
        patch = write_fast_block(block, window.base, job.at(header.blocks_offset, index * kFastBlockBytes), patch);
        const uint32_t end = static_cast<uint32_t>((patch - patches) / 2);
        store_le(job.at(header.patch_starts_offset, (index + 1) * 4), end);
      }
    }
  }
  return {};
}

// ---- dense ----

// A stream as it is written: word after word, 32 words apart.
struct StreamWriter {
  uint8_t* next = nullptr;
  uint64_t held = 0;
  uint32_t held_bits = 0;
  uint32_t position = 0;

  void write(uint32_t code, uint32_t length) {
    held |= uint64_t{code} << held_bits;
    held_bits += length;
    position += length;
    if (held_bits < 32) return;
    store_le(next, static_cast<uint32_t>(held));
    next += kLanes * 4;
    held >>= 32;
    held_bits -= 32;
  }
  void finish() {
    if (held_bits > 0) store_le(next, static_cast<uint32_t>(held));
  }
};

class DenseWriter {
 public:
  DenseWriter(PackJob& job, const CodeLengths& lengths) : job_(job) {
    huffman::canonical_codes(lengths, codes_);
    lengths_ = lengths;
    // By exponent, so that the loops need not ask: the escape's code where there is none.
    for (size_t i = 0; i < huffman::kEscape; ++i) {
      is_escape_[i] = lengths[i] == 0;
      if (!is_escape_[i]) continue;
      lengths_[i] = lengths[huffman::kEscape];
      codes_[i] = codes_[huffman::kEscape];
    }
    padding_ = padding_weight(lengths);
  }

  // Counts rows of words and escapes into the header.
  void count(PackReport& report) {
    for_each_segment([&](const Segment& segment) { job_.header.word_rows += count_segment(segment, report); });
  }

  // Precondition: the job has been allocated with the counts.
  void write() {
    const PackedHeader& header = job_.header;
    patch_ = job_.at(header.patches_offset);
    entry_position_ = job_.at(header.entry_positions_offset);
    entry_patches_ = job_.at(header.patch_starts_offset);
    uint8_t* segment_start = job_.at(header.segment_starts_offset);
    uint32_t row = 0;
    for_each_segment([&](const Segment& segment) {
      row += write_segment(segment, job_.at(header.words_offset, uint64_t{row} * kLanes * 4));
      store_le(segment_start += 4, row);
    });
  }

 private:
  static uint16_t padding_weight(const CodeLengths& lengths) {
    uint32_t best = 0;
    for (uint32_t exponent = 0; exponent < 255; ++exponent) {
      const bool shorter = lengths[exponent] > 0 && (lengths[best] == 0 || lengths[exponent] < lengths[best]);
      if (shorter) best = exponent;
    }
    return static_cast<uint16_t>(best << 7);
  }

  static uint32_t exponent_of(uint16_t weight) { return weight >> 7 & 255; }

  // Strips and blocks of each: several whole strips, or a part of one.
  struct Segment {
    uint32_t strip, end_strip, block, end_block;
  };
  template <typename Action>
  void for_each_segment(const Action& action) {
    const uint32_t strips = strip_count(job_.header);
    const uint32_t blocks = strip_blocks(job_.header);
    const uint32_t step = segment_strips(job_.header);
    for (uint32_t strip = 0; strip < strips; strip += step) {
      for (uint32_t block = 0; block < blocks; block += kSegmentBlocks) {
        action(Segment{strip, std::min(strip + step, strips), block, std::min(block + kSegmentBlocks, blocks)});
      }
    }
  }
  // Calls action(strip, column block, weights).
  template <typename Action>
  void for_each_block(const Segment& segment, const Action& action) {
    Block block;
    for (uint32_t strip = segment.strip; strip < segment.end_strip; ++strip) {
      for (uint32_t column_block = segment.block; column_block < segment.end_block; ++column_block) {
        gather_block(job_.matrix, job_.frame(strip, column_block), padding_, block);
        action(strip, column_block, block);
      }
    }
  }

  // Returns the segment's rows of words.
  uint32_t count_segment(const Segment& segment, PackReport& report) {
    std::array<uint32_t, kLanes> bits{};
    for_each_block(segment, [&](uint32_t strip, uint32_t column_block, const Block& block) {
      for (uint32_t place = 0; place < kBlockWeights; place += kRun) {
        uint32_t length = 0;
        for (uint32_t i = place; i < place + kRun; ++i) {
          length += lengths_[exponent_of(block[i])];
          job_.header.patch_count += is_escape_[exponent_of(block[i])];
        }
        bits[stream_of(place_lane(place), strip, column_block)] += length;
      }
    });
    for (const uint32_t length : bits) report.stream_bits += length;
    return divide_up(*std::ranges::max_element(bits), 32);
  }

  // Returns the segment's rows of words.
  uint32_t write_segment(const Segment& segment, uint8_t* words) {
    const PackedHeader& header = job_.header;
    std::array<StreamWriter, kLanes> streams;
    for (uint32_t i = 0; i < kLanes; ++i) streams[i].next = words + i * 4;
    for_each_block(segment, [&](uint32_t strip, uint32_t column_block, const Block& block) {
      if (column_block % entry_blocks(header) == 0) begin_entry(streams);
      const uint64_t index = block_index(header, strip, column_block);
      write_block(block, strip, column_block, job_.at(header.blocks_offset, index * kDenseBlockBytes), streams);
      end_block();
    });
    uint32_t most = 0;
    for (StreamWriter& stream : streams) {
      stream.finish();
      most = std::max(most, stream.position);
    }
    return divide_up(most, 32);
  }

  void begin_entry(const std::array<StreamWriter, kLanes>& streams) {
    for (const StreamWriter& stream : streams) {
      store_le(entry_position_, static_cast<uint16_t>(stream.position));
      entry_position_ += 2;
    }
    entry_patches_ += 4;
  }

  // The end of the entry's patches as far as they are written; the last block's stays.
  void end_block() {
    const auto bytes = static_cast<uint64_t>(patch_ - job_.at(job_.header.patches_offset));
    store_le(entry_patches_, static_cast<uint32_t>(bytes / 4));
  }

  void write_block(const Block& block, uint32_t strip, uint32_t column_block, uint8_t* bytes,
                   std::array<StreamWriter, kLanes>& streams) {
    // Places ascend as each lane's own order does.
    for (uint32_t place = 0; place < kBlockWeights; place += kRun) {
      uint32_t code = 0;
      uint32_t length = 0;
      bool has_escape = false;
      for (uint32_t i = place; i < place + kRun; ++i) {
        const uint32_t exponent = exponent_of(block[i]);
        bytes[i] = static_cast<uint8_t>((block[i] >> 8 & 0x80) | (block[i] & 0x7F));
        code |= uint32_t{codes_[exponent]} << length;
        length += lengths_[exponent];
        has_escape |= is_escape_[exponent];
      }
      streams[stream_of(place_lane(place), strip, column_block)].write(code, length);
      if (has_escape) write_escapes(block, column_block, place);
    }
  }

  void write_escapes(const Block& block, uint32_t column_block, uint32_t first_place) {
    for (uint32_t place = first_place; place < first_place + kRun; ++place) {
      const uint32_t exponent = exponent_of(block[place]);
      if (!is_escape_[exponent]) continue;
      store_le(patch_, place | column_block % entry_blocks(job_.header) << 10 | exponent << 18);
      patch_ += 4;
    }
  }

  // Weights of one lane that are written at once: four code words are at most 32 bits.
  static constexpr uint32_t kRun = 4;
  static_assert(kRun * kMaxCodeLimit <= 32 && 16 % kRun == 0);

  PackJob& job_;
  CodeLengths lengths_{};
  std::array<uint16_t, huffman::kMaxSymbols> codes_{};
  std::array<bool, huffman::kEscape> is_escape_{};
  uint16_t padding_ = 0;
  uint8_t* patch_ = nullptr;
  uint8_t* entry_position_ = nullptr;
  uint8_t* entry_patches_ = nullptr;
};

Status write_dense(PackJob& job, const PackOptions& options, PackReport& report) {
  job.header.code_limit = options.code_limit;
  job.header.entry_columns = options.entry_columns;
  const CodeLengths lengths = exponent_code(survey_weights(job.matrix), options.code_limit).lengths;
  DenseWriter writer(job, lengths);
  writer.count(report);
  if (job.header.patch_count > kMaxItems || job.header.word_rows > kMaxItems) {
    return Status(Code::kInvalidArgument, "matrix too large for the layout");
  }
  report.word_bits = job.header.word_rows * kLanes * 32;
  job.allocate();
  uint8_t* table = job.at(job.header.code_table_offset);
  for (const uint16_t entry : make_code_table(lengths, options.code_limit)) {
    store_le(table, entry);
    table += 2;
  }
  writer.write();
  return {};
}

Status check_options(const PackOptions& options) {
  const uint32_t entry_columns = options.entry_columns;
  if (options.layout > Layout::kDense) return Status(Code::kInvalidArgument, "weight layout");
  if (options.code_limit < kMinCodeLimit || options.code_limit > kMaxCodeLimit) {
    return Status(Code::kInvalidArgument, "code limit");
  }
  if (entry_columns < kMinEntryColumns || entry_columns > kMaxEntryColumns || !std::has_single_bit(entry_columns)) {
    return Status(Code::kInvalidArgument, "entry columns");
  }
  return {};
}

Status check_shape(Bytes matrix, uint64_t rows, uint64_t columns) {
  if (rows == 0 || columns == 0) return Status(Code::kInvalidArgument, "weight matrix without weights");
  if (rows > kMaxItems || columns > kMaxItems || matrix.size() % 2 != 0 || matrix.size() / 2 % columns != 0 ||
      matrix.size() / 2 / columns != rows) {
    return Status(Code::kInvalidArgument, "weight matrix of another size than rows times columns");
  }
  return {};
}

}  // namespace

Result<PackedWeights> pack_weights(Bytes matrix, uint64_t rows, uint64_t columns, const PackOptions& options) {
  if (const Status status = check_options(options); !status.ok()) return status;
  if (const Status status = check_shape(matrix, rows, columns); !status.ok()) return status;
  PackJob job;
  job.matrix = matrix;
  job.header.magic = kMagic;
  job.header.version = kVersion;
  job.header.layout = options.layout;
  job.header.rows = static_cast<uint32_t>(rows);
  job.header.columns = static_cast<uint32_t>(columns);
  if (block_count(job.header) > kMaxBlocks) return Status(Code::kInvalidArgument, "weight matrix with too many blocks");
  PackReport report;
  if (options.layout == Layout::kRaw) {
    job.allocate();
    std::memcpy(job.at(job.header.blocks_offset), matrix.data(), matrix.size());
  } else {
    const Status status = options.layout == Layout::kFast ? write_fast(job, report) : write_dense(job, options, report);
    if (!status.ok()) return status;
  }
  report.weights = rows * columns;
  report.patches = job.header.patch_count;
  report.bits_per_weight = 8.0 * static_cast<double>(job.header.total_bytes) / static_cast<double>(report.weights);
  return PackedWeights{std::move(job.bytes), report};
}

}  // namespace glyd::weights

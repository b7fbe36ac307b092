#pragma once

#include <vector>

#include "codec/base/bytes.h"
#include "codec/entropy/weights/fragment_order.h"

// Decodes packed matrices (spec.md) on the CPU: the reference for every kernel, and the way back to a file.
namespace glyd::weights {

// The header of `packed`, with all of its fields, offsets and the size of `packed` checked: sections then lie inside it,
// and their contents are what can still be wrong.
// Errors, with the offset of the field: kTruncated, kTrailingData (packed is not total_bytes long); kUnsupportedVersion;
// kUnsupportedFeature (layout); kCorrupt.
Result<PackedHeader> check_header(Bytes packed);

// A packed matrix. Keeps a reference to its bytes. Calls on one object from several threads are fine.
class WeightUnpacker {
 public:
  // Checks the header and the code table; allocates the pair table, up to 256 KiB. Errors: as check_header().
  static Result<WeightUnpacker> open(Bytes packed);

  const PackedHeader& header() const { return header_; }
  // Bytes of `rows` rows of the matrix. The whole matrix has at most twice the bytes of its packed form, so whoever has
  // memory for one may allocate the other.
  uint64_t rows_size(uint64_t rows) const { return rows * header_.columns * 2; }

  // Writes the weights of `rows` rows from `first_row` on, row-major little-endian bf16. `output` is written in part
  // when the data turn out to be damaged.
  // Preconditions: first_row is a multiple of 16; rows is too, or ends with the matrix; output has rows_size(rows) bytes.
  // Errors: kInvalidArgument when a precondition is not met; kCorrupt with an offset in the packed bytes.
  Status unpack_rows(uint64_t first_row, uint64_t rows, MutableBytes output) const;
  // All rows.
  Status unpack(MutableBytes output) const { return unpack_rows(0, header_.rows, output); }

  // Decodes everything and keeps nothing. What a kernel relies on without looking is right when this succeeds.
  // Errors: kCorrupt with an offset.
  Status check() const;

 private:
  WeightUnpacker(Bytes packed, const PackedHeader& header) : packed_(packed), header_(header) {}

  template <typename T>
  T load(uint64_t section, uint64_t index) const {
    return load_le<T>(packed_.data() + section + index * sizeof(T));
  }
  Status load_code_table();
  // The range of a list that starts[index] and starts[index + 1] tell.
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  Result<Range> patch_range(uint64_t index) const;
  // `keep(column_block, block)` gets the weights of each block of a strip.
  template <typename Keep>
  Status decode_strip(uint32_t strip, const Keep& keep) const;
  template <typename Keep>
  Status decode_fast_strip(uint32_t strip, const Keep& keep) const;
  // What of a strip lies in the segment of `first_block`.
  template <typename Keep>
  Status decode_dense_part(uint32_t strip, uint32_t first_block, const Keep& keep) const;
  Status patch_fast_block(uint64_t index, uint8_t* high_plane) const;
  // The escapes of an entry that have not been applied, and the least (block, place) that the next one may have.
  struct EscapeCursor {
    uint64_t next = 0;
    uint64_t end = 0;
    uint32_t least = 0;
  };
  Status check_entry(uint64_t entry, const std::array<uint32_t, kLanes>& positions) const;
  Status begin_escapes(uint64_t entry, EscapeCursor& escapes) const;
  Status apply_escapes(uint32_t block_in_entry, EscapeCursor& cursor, Block& block) const;
  Status check_starts(uint64_t section, uint64_t last, uint64_t total) const;

  Bytes packed_;
  PackedHeader header_;
  std::vector<uint32_t> pair_table_;
};

}  // namespace glyd::weights

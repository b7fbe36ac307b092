#include "codec/transform/tensor/stream_coder.h"

#include <cstring>

namespace glyd::tensor {
namespace {

// Shorter streams are stored: tables and states would take what is gained.
constexpr size_t kShortest = 96;

const Transform& zstd_transform() {
  return *find_transform(static_cast<uint32_t>(TransformId::kZstd));
}

// Whether coding by frequencies can gain no more than about 1% (or 0.1%). Renyi's entropy of order 2, -log2 of the sum
// of squared shares, is at most Shannon's and takes integers only: the choice is the same on every machine.
bool is_flat(const Histogram& histogram, uint64_t total, Effort effort) {
  uint64_t squares = 0;
  for (const uint32_t count : histogram) squares += uint64_t{count} * count;
  // 2^0.08 = 1.057 and 2^0.008 = 1.0056, in 1024ths.
  const uint64_t allowed = effort == Effort::kRansAlways ? 1030 : 1082;
  return squares / 4 <= total * total / 1024 / 1024 * allowed;
}

void write_coded(Coding coding, Bytes stream, Bytes coded, DataWriter& writer) {
  if (coded.size() + kMaxVarintSize >= stream.size()) {
    writer.put_byte(static_cast<uint8_t>(Coding::kStored));
    writer.put_bytes(stream);
    return;
  }
  writer.put_byte(static_cast<uint8_t>(coding));
  writer.put_varint(coded.size());
  writer.put_bytes(coded);
}

}  // namespace

void DataWriter::put_varint(uint64_t value) {
  uint8_t bytes[kMaxVarintSize];
  put_bytes(Bytes(bytes, store_varint(bytes, value)));
}

void DataWriter::put_bytes(Bytes bytes) {
  full_ = full_ || bytes.size() > room_.size() - size_;
  if (full_ || bytes.empty()) return;
  std::memcpy(room_.data() + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
}

Status write_field_stream(Bytes stream, Effort effort, StreamMemory& memory, DataWriter& writer) {
  const Histogram histogram = count_symbols(stream);
  if (histogram[stream[0]] == stream.size()) {
    writer.put_byte(static_cast<uint8_t>(Coding::kOneValue));
    writer.put_byte(stream[0]);
    return {};
  }
  if (stream.size() < kShortest || is_flat(histogram, stream.size(), effort)) {
    write_coded(Coding::kStored, stream, stream, writer);
    return {};
  }
  const bool by_huffman = effort == Effort::kHuffman;
  const size_t bound = by_huffman ? huffman::block_bound(stream.size()) : rans::block_bound(stream.size());
  if (const Status status = memory.coded.reserve(bound); !status.ok()) return status;
  const MutableBytes room(memory.coded.data(), bound);
  size_t size = 0;
  if (by_huffman) {
    size = huffman::encode_block(stream, huffman::make_code(histogram, huffman::kBlockLimit), room);
  } else {
    const rans::Model model = rans::normalise(histogram, rans::kMinProbabilityBits);
    size = rans::encode_block(stream, model, rans::choose_ways(stream.size()), room);
  }
  write_coded(by_huffman ? Coding::kHuffman : Coding::kRans, stream, room.first(size), writer);
  return {};
}

Status write_zstd_stream(Bytes stream, const StepParameters& parameters, StreamMemory& memory, Workspace& workspace,
                         DataWriter& writer) {
  if (const Status status = memory.coded.reserve(stream.size()); !status.ok()) return status;
  const MutableBytes room(memory.coded.data(), stream.size());
  const Result<size_t> size = zstd_transform().encode(stream, room, parameters, workspace);
  if (!size.ok() && size.status().code() != Code::kDestinationTooSmall) return size.status();
  write_coded(Coding::kZstd, stream, size.ok() ? room.first(*size) : room, writer);
  return {};
}

Result<const uint8_t*> read_stream(ByteReader& data, MutableBytes room, StreamMemory& memory, Workspace& workspace) {
  const uint64_t offset = data.position();
  const Coding coding = static_cast<Coding>(data.read_le<uint8_t>());
  const Status cut_off(Code::kCorrupt, "tensor: stream", offset);
  if (!data.ok()) return cut_off;
  if (coding == Coding::kStored) {
    const Bytes stored = data.read(room.size());
    if (!data.ok()) return cut_off;
    return stored.data();
  }
  if (coding == Coding::kOneValue) {
    std::memset(room.data(), data.read_le<uint8_t>(), room.size());
    if (!data.ok()) return cut_off;
    return static_cast<const uint8_t*>(room.data());
  }
  const uint64_t stored_size = data.read_varint();
  if (!data.ok() || stored_size > data.remaining()) return cut_off;
  const Bytes coded = data.read(static_cast<size_t>(stored_size));
  Status status(Code::kCorrupt, "tensor: coding", offset);
  if (coding == Coding::kRans) status = rans::decode_block(coded, room, memory.rans);
  if (coding == Coding::kHuffman) status = huffman::decode_block(coded, room, memory.huffman);
  if (coding == Coding::kZstd) status = zstd_transform().decode(coded, room, workspace);
  if (!status.ok()) return Status(status.code(), status.detail(), offset);
  return static_cast<const uint8_t*>(room.data());
}

}  // namespace glyd::tensor

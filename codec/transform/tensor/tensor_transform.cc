#include "codec/transform/tensor/tensor_transform.h"

#include <algorithm>
#include <cstring>

#include "codec/transform/tensor/element_fields.h"
#include "codec/transform/tensor/stream_coder.h"

namespace glyd {
namespace {

using tensor::DataWriter;
using tensor::Effort;
using tensor::Field;

enum class Form : uint8_t { kFields = 0, kDifferences = 1, kWhole = 2 };

// From this level on time is not what counts.
constexpr int kStrongLevel = 10;
// Headers, vocabularies and other text in a model file are a small part of it, so they get the strongest level.
constexpr int kTextLevel = 19;
constexpr size_t kMostTextPerBlock = size_t{16} << 20;
// What a region is tried on before it is decided whether repetitions are worth looking for.
constexpr size_t kSampleBytes = size_t{1} << 16;

struct TensorState : TransformState {
  static std::unique_ptr<TensorState> create() { return std::unique_ptr<TensorState>(new (std::nothrow) TensorState); }
  tensor::StreamMemory streams;
  Buffer fields;  // of one chunk, one field after the other
  Buffer rest;    // the bytes of type 0
};

// The places of the fields of a chunk in `buffer`.
std::array<uint8_t*, tensor::kMaxFields> field_places(ElementType type, size_t count, uint8_t* buffer) {
  std::array<uint8_t*, tensor::kMaxFields> places{};
  const std::span<const Field> fields = tensor::fields_of(type);
  for (size_t i = 0; i < fields.size(); ++i) {
    places[i] = buffer;
    buffer += count * fields[i].width;
  }
  return places;
}

// Of 8-byte words at multiples of 8, the share that was there before, from those whose hash ends in zeros: both of two
// equal words are looked at, or neither, so that far repetitions are found without looking at everything.
double repeated_share(Bytes bytes) {
  constexpr unsigned kTableLog = 12;
  std::array<uint64_t, size_t{1} << kTableLog> seen{};
  size_t looked_at = 0;
  size_t repeated = 0;
  for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    const uint64_t word = load_le<uint64_t>(bytes.data() + i);
    const uint64_t hash = word * uint64_t{0x9E3779B97F4A7C15};
    if ((hash >> 32 & 31) != 0) continue;
    uint64_t& slot = seen[hash >> (64 - kTableLog)];
    ++looked_at;
    repeated += slot == word ? 1 : 0;
    slot = word;
  }
  return looked_at == 0 ? 0.0 : static_cast<double>(repeated) / static_cast<double>(looked_at);
}

// Encodes one block.
class BlockEncoder {
 public:
  BlockEncoder(const StepParameters& parameters, TensorState& state, Workspace& workspace)
      : parameters_(parameters), state_(state), workspace_(workspace) {
    effort_ = parameters.level <= 0             ? Effort::kHuffman
              : parameters.level < kStrongLevel ? Effort::kRans
                                                : Effort::kRansAlways;
  }

  Result<size_t> encode(Bytes input, MutableBytes output);

 private:
  Status write_region(Bytes content, ElementType type, Form form, DataWriter& writer);
  Status write_fields(Bytes content, ElementType type, DataWriter& writer);
  Status write_rest(Bytes input, size_t rest_size, DataWriter& writer);
  Result<Form> choose_form(Bytes content, ElementType type);
  Result<size_t> trial_size(Bytes content, ElementType type, Form form);

  const StepParameters& parameters_;
  TensorState& state_;
  Workspace& workspace_;
  Effort effort_ = Effort::kRans;
};

Status BlockEncoder::write_fields(Bytes content, ElementType type, DataWriter& writer) {
  const std::span<const Field> fields = tensor::fields_of(type);
  const size_t element_size = find_element_type(static_cast<uint64_t>(type))->size;
  if (const Status status = state_.fields.reserve(tensor::kChunkBytes); !status.ok()) return status;
  const size_t chunk_bytes = tensor::chunk_elements(type) * element_size;
  for (size_t at = 0; at < content.size() && !writer.full(); at += chunk_bytes) {
    const size_t count = std::min(chunk_bytes, content.size() - at) / element_size;
    const auto places = field_places(type, count, state_.fields.data());
    tensor::split_elements(type, content.data() + at, count, std::span(places).first(fields.size()));
    for (size_t i = 0; i < fields.size(); ++i) {
      const Bytes stream(places[i], count * fields[i].width);
      if (const Status status = tensor::write_field_stream(stream, effort_, state_.streams, writer); !status.ok()) {
        return status;
      }
    }
  }
  return {};
}

Status BlockEncoder::write_region(Bytes content, ElementType type, Form form, DataWriter& writer) {
  if (form == Form::kFields) return write_fields(content, type, writer);
  return tensor::write_zstd_stream(content, parameters_, state_.streams, workspace_, writer);
}

// Bytes that the region takes in that form, up to its own size.
Result<size_t> BlockEncoder::trial_size(Bytes content, ElementType type, Form form) {
  if (const Status status = state_.rest.reserve(content.size() + 1); !status.ok()) return status;
  DataWriter writer(MutableBytes(state_.rest.data(), content.size() + 1));
  if (const Status status = write_region(content, type, form, writer); !status.ok()) return status;
  return writer.full() ? content.size() + 1 : writer.size();
}

// By fields, unless there are repetitions, as in padded tables and arrays of indices, from which more is gained.
Result<Form> BlockEncoder::choose_form(Bytes content, ElementType type) {
  const size_t element_size = find_element_type(static_cast<uint64_t>(type))->size;
  bool try_whole = content.size() <= 2 * kSampleBytes || repeated_share(content) > 1.0 / 32;
  if (!try_whole) {
    const size_t begin = content.size() / 2 / element_size * element_size;
    const Bytes sample = content.subspan(begin, kSampleBytes / element_size * element_size);
    const Result<size_t> fields = trial_size(sample, type, Form::kFields);
    if (!fields.ok()) return fields.status();
    const Result<size_t> whole = trial_size(sample, type, Form::kWhole);
    if (!whole.ok()) return whole.status();
    try_whole = *whole <= *fields;
  }
  if (!try_whole) return Form::kFields;
  const Result<size_t> fields = trial_size(content, type, Form::kFields);
  if (!fields.ok()) return fields.status();
  const Result<size_t> whole = trial_size(content, type, Form::kWhole);
  if (!whole.ok()) return whole.status();
  return *whole < *fields ? Form::kWhole : Form::kFields;
}

Status BlockEncoder::write_rest(Bytes input, size_t rest_size, DataWriter& writer) {
  if (const Status status = state_.rest.reserve(rest_size); !status.ok()) return status;
  uint8_t* p = state_.rest.data();
  for (const TypedRegion& region : parameters_.regions) {
    if (region.type != ElementType::kBytes) continue;
    std::memcpy(p, input.data() + region.offset, static_cast<size_t>(region.size));
    p += region.size;
  }
  StepParameters text = parameters_;
  if (rest_size <= kMostTextPerBlock) text.level = std::max(text.level, kTextLevel);
  return tensor::write_zstd_stream(Bytes(state_.rest.data(), rest_size), text, state_.streams, workspace_, writer);
}

Result<size_t> BlockEncoder::encode(Bytes input, MutableBytes output) {
  DataWriter writer(output);
  std::vector<Form> forms;
  size_t rest_size = 0;
  writer.put_varint(parameters_.regions.size());
  for (const TypedRegion& region : parameters_.regions) {
    Form form = Form::kFields;
    const Bytes content = input.subspan(static_cast<size_t>(region.offset), static_cast<size_t>(region.size));
    if (region.type == ElementType::kBytes) {
      rest_size += content.size();
    } else {
      const Result<Form> chosen = choose_form(content, region.type);
      if (!chosen.ok()) return chosen.status();
      form = *chosen;
    }
    forms.push_back(form);
    writer.put_varint(static_cast<uint64_t>(region.type) * 4 + static_cast<uint64_t>(form));
    writer.put_varint(region.size);
  }
  for (size_t i = 0; i < forms.size(); ++i) {
    const TypedRegion& region = parameters_.regions[i];
    if (region.type == ElementType::kBytes) continue;
    const Bytes content = input.subspan(static_cast<size_t>(region.offset), static_cast<size_t>(region.size));
    if (const Status status = write_region(content, region.type, forms[i], writer); !status.ok()) return status;
  }
  if (rest_size > 0) {
    if (const Status status = write_rest(input, rest_size, writer); !status.ok()) return status;
  }
  if (writer.full()) return Status(Code::kDestinationTooSmall);
  return writer.size();
}

// Decodes one block.
class BlockDecoder {
 public:
  BlockDecoder(Bytes data, TensorState& state, Workspace& workspace)
      : data_(data), state_(state), workspace_(workspace) {}

  Status decode(MutableBytes output);

 private:
  struct Region {
    ElementType type;
    Form form;
    size_t size;
  };

  Status read_regions(size_t content_size);
  Status read_fields(ElementType type, MutableBytes content);
  Status read_whole(MutableBytes content);
  Status read_rest(MutableBytes output);

  ByteReader data_;
  TensorState& state_;
  Workspace& workspace_;
  std::vector<Region> regions_;
  size_t rest_size_ = 0;
};

Status BlockDecoder::read_regions(size_t content_size) {
  const uint64_t count = data_.read_varint();
  // Each region takes two bytes at least: nothing is reserved for more than there can be.
  if (!data_.ok() || count > data_.remaining() / 2) return Status(Code::kCorrupt, "tensor: number of regions", 0);
  size_t left = content_size;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t offset = data_.position();
    const uint64_t kind = data_.read_varint();
    const uint64_t size = data_.read_varint();
    const ElementTypeInfo* type = find_element_type(kind / 4);
    const Form form = static_cast<Form>(kind % 4);
    if (!data_.ok() || type == nullptr || size == 0 || size > left || form > Form::kWhole) {
      return Status(Code::kCorrupt, "tensor: region", offset);
    }
    if (form == Form::kDifferences) return Status(Code::kUnsupportedFeature, "tensor: differences from a base", offset);
    const bool is_rest = type->type == ElementType::kBytes;
    if ((is_rest && form != Form::kFields) || (form == Form::kFields && size % type->size != 0)) {
      return Status(Code::kCorrupt, "tensor: region", offset);
    }
    left -= static_cast<size_t>(size);
    if (is_rest) rest_size_ += static_cast<size_t>(size);
    regions_.push_back({type->type, form, static_cast<size_t>(size)});
  }
  return left == 0 ? Status() : Status(Code::kCorrupt, "tensor: size of the regions", data_.position());
}

Status BlockDecoder::read_fields(ElementType type, MutableBytes content) {
  const std::span<const Field> fields = tensor::fields_of(type);
  const size_t element_size = find_element_type(static_cast<uint64_t>(type))->size;
  if (const Status status = state_.fields.reserve(tensor::kChunkBytes); !status.ok()) return status;
  const size_t chunk_bytes = tensor::chunk_elements(type) * element_size;
  for (size_t at = 0; at < content.size(); at += chunk_bytes) {
    const size_t count = std::min(chunk_bytes, content.size() - at) / element_size;
    const auto places = field_places(type, count, state_.fields.data());
    std::array<const uint8_t*, tensor::kMaxFields> streams{};
    for (size_t i = 0; i < fields.size(); ++i) {
      const MutableBytes room(places[i], count * fields[i].width);
      const Result<const uint8_t*> stream = tensor::read_stream(data_, room, state_.streams, workspace_);
      if (!stream.ok()) return stream.status();
      streams[i] = *stream;
    }
    tensor::join_elements(type, std::span(streams).first(fields.size()), count, content.data() + at);
  }
  return {};
}

Status BlockDecoder::read_whole(MutableBytes content) {
  const Result<const uint8_t*> stream = tensor::read_stream(data_, content, state_.streams, workspace_);
  if (!stream.ok()) return stream.status();
  if (*stream != content.data()) std::memcpy(content.data(), *stream, content.size());
  return {};
}

Status BlockDecoder::read_rest(MutableBytes output) {
  if (const Status status = state_.rest.reserve(rest_size_); !status.ok()) return status;
  const MutableBytes room(state_.rest.data(), rest_size_);
  const Result<const uint8_t*> stream = tensor::read_stream(data_, room, state_.streams, workspace_);
  if (!stream.ok()) return stream.status();
  const uint8_t* from = *stream;
  uint8_t* to = output.data();
  for (const Region& region : regions_) {
    if (region.type == ElementType::kBytes) {
      std::memcpy(to, from, region.size);
      from += region.size;
    }
    to += region.size;
  }
  return {};
}

Status BlockDecoder::decode(MutableBytes output) {
  if (const Status status = read_regions(output.size()); !status.ok()) return status;
  uint8_t* to = output.data();
  for (const Region& region : regions_) {
    const MutableBytes content(to, region.size);
    Status status;
    if (region.type != ElementType::kBytes) {
      status = region.form == Form::kFields ? read_fields(region.type, content) : read_whole(content);
    }
    if (!status.ok()) return status;
    to += region.size;
  }
  if (rest_size_ > 0) {
    if (const Status status = read_rest(output); !status.ok()) return status;
  }
  return data_.remaining() == 0 ? Status() : Status(Code::kCorrupt, "tensor: data left over", data_.position());
}

}  // namespace

Result<size_t> TensorTransform::encode(Bytes input, MutableBytes output, const StepParameters& parameters,
                                       Workspace& workspace) const {
  TensorState* state = workspace.state<TensorState>(id());
  if (state == nullptr) return Status(Code::kOutOfMemory);
  StepParameters whole = parameters;
  const TypedRegion everything{0, input.size(), ElementType::kBytes};
  if (whole.regions.empty()) whole.regions = std::span(&everything, 1);
  return BlockEncoder(whole, *state, workspace).encode(input, output);
}

Status TensorTransform::decode(Bytes input, MutableBytes output, Workspace& workspace) const {
  TensorState* state = workspace.state<TensorState>(id());
  if (state == nullptr) return Status(Code::kOutOfMemory);
  // Offsets count from the block's data, which is not where an error is shown; the reader of the frame gives its own.
  const Status status = BlockDecoder(input, *state, workspace).decode(output);
  return status.ok() ? status : Status(status.code(), status.detail());
}

uint64_t TensorTransform::encoder_memory(uint64_t block_size, const StepParameters& parameters) const {
  // Streams of a chunk and what they become; text and trials of whole regions: the bytes and what they become; zstd.
  const uint64_t zstd =
      find_transform(static_cast<uint32_t>(TransformId::kZstd))->encoder_memory(block_size, parameters);
  return 4 * tensor::kChunkBytes + 2 * block_size + zstd;
}

uint64_t TensorTransform::decoder_memory(uint64_t block_size) const {
  return block_size + (uint64_t{1} << 20);
}

}  // namespace glyd

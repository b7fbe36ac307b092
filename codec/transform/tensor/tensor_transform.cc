#include "codec/transform/tensor/tensor_transform.h"

#include <algorithm>
#include <cstring>

#include "codec/transform/tensor/element_fields.h"
#include "codec/transform/tensor/offset_text.h"
#include "codec/transform/tensor/stream_coder.h"
#include "codec/transform/tensor/string_array.h"

namespace glyd {
namespace {

using tensor::DataWriter;
using tensor::Effort;
using tensor::Field;

enum class Form : uint8_t { kFields = 0, kDifferences = 1, kWhole = 2 };

// From this level on time is not what counts.
constexpr int kStrongLevel = 10;
// Headers and other text in a model file are a small part of it, so they get the strongest level. Vocabularies, several
// megabytes in files that may be small, get one that is ten times as fast; without lengths they come out smaller than with
// them at the strongest.
constexpr int kRestLevel = 19;
constexpr size_t kMostRestPerBlock = size_t{16} << 20;
constexpr int kStringsLevel = 12;
// What a region is tried on, and how hard, before it is decided whether repetitions are worth looking for.
constexpr size_t kSampleBytes = size_t{1} << 14;
constexpr int kSampleLevel = 3;
// In so short a sample the tables of the fields weigh more than in a chunk.
constexpr size_t kSamplePercent = 97;

struct TensorState : TransformState {
  static std::unique_ptr<TensorState> create() { return std::unique_ptr<TensorState>(new (std::nothrow) TensorState); }
  tensor::StreamMemory streams;
  Buffer fields;  // of one chunk, one field after the other
  Buffer rest;    // a stream that regions share
};

// A region as the block's data describes it.
struct Region {
  ElementType type = ElementType::kBytes;
  Form form = Form::kFields;
  size_t size = 0;
  size_t extra = 0;  // strings of kStrings, folded bytes of kSafetensorsHeader

  // In the stream that the regions of its type share.
  size_t shared_size() const {
    if (type == ElementType::kStrings) return size - extra * (tensor::kLengthBytes - 1);
    return type == ElementType::kSafetensorsHeader ? extra : size;
  }
};

// The types whose regions share a stream, in the order of the streams.
constexpr ElementType kSharing[] = {ElementType::kBytes, ElementType::kStrings, ElementType::kSafetensorsHeader};

bool has_extra(ElementType type) {
  return type == ElementType::kStrings || type == ElementType::kSafetensorsHeader;
}

// Bytes of the stream that the regions of a type share.
size_t shared_size(const std::vector<Region>& regions, ElementType type) {
  size_t size = 0;
  for (const Region& region : regions) {
    if (region.type == type) size += region.shared_size();
  }
  return size;
}

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
  Status plan_regions(Bytes input);
  Status write_region(Bytes content, ElementType type, Form form, DataWriter& writer);
  Status write_fields(Bytes content, ElementType type, DataWriter& writer);
  Status write_whole(Bytes content, int level, DataWriter& writer);
  Status write_shared(Bytes input, ElementType type, DataWriter& writer);
  Result<Form> choose_form(Bytes content, ElementType type);
  Result<bool> whole_is_smaller(Bytes content, ElementType type, int level, size_t percent);

  const StepParameters& parameters_;
  TensorState& state_;
  Workspace& workspace_;
  std::vector<Region> regions_;
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
  return write_whole(content, parameters_.level, writer);
}

Status BlockEncoder::write_whole(Bytes content, int level, DataWriter& writer) {
  StepParameters parameters = parameters_;
  parameters.level = level;
  return tensor::write_zstd_stream(content, parameters, state_.streams, workspace_, writer);
}

// Whether `content` takes fewer bytes as a whole, by zstd at `level`, than `percent` of those by fields.
Result<bool> BlockEncoder::whole_is_smaller(Bytes content, ElementType type, int level, size_t percent) {
  if (const Status status = state_.rest.reserve(content.size() + 1); !status.ok()) return status;
  DataWriter fields(MutableBytes(state_.rest.data(), content.size() + 1));
  if (const Status status = write_fields(content, type, fields); !status.ok()) return status;
  DataWriter whole(MutableBytes(state_.rest.data(), content.size() + 1));
  if (const Status status = write_whole(content, level, whole); !status.ok()) return status;
  return !whole.full() && (fields.full() || whole.size() * 100 < fields.size() * percent);
}

// By fields, unless there are repetitions, as in padded tables and arrays of indices, from which more is gained.
Result<Form> BlockEncoder::choose_form(Bytes content, ElementType type) {
  const size_t element_size = find_element_type(static_cast<uint64_t>(type))->size;
  bool try_whole = content.size() <= 2 * kSampleBytes || repeated_share(content) > 1.0 / 32;
  if (!try_whole) {
    const size_t begin = content.size() / 2 / element_size * element_size;
    const Bytes sample = content.subspan(begin, kSampleBytes / element_size * element_size);
    const Result<bool> smaller =
        whole_is_smaller(sample, type, std::min(parameters_.level, kSampleLevel), kSamplePercent);
    if (!smaller.ok()) return smaller.status();
    try_whole = *smaller;
  }
  if (!try_whole) return Form::kFields;
  const Result<bool> smaller = whole_is_smaller(content, type, parameters_.level, 100);
  if (!smaller.ok()) return smaller.status();
  return *smaller ? Form::kWhole : Form::kFields;
}

// The regions that were asked for; text that is not what it was said to be is taken as bytes.
Status BlockEncoder::plan_regions(Bytes input) {
  for (const TypedRegion& region : parameters_.regions) {
    const Bytes content = input.subspan(static_cast<size_t>(region.offset), static_cast<size_t>(region.size));
    if (region.type == ElementType::kStrings) {
      const tensor::WholeStrings strings = tensor::whole_strings(content);
      if (strings.count > 0) regions_.push_back({ElementType::kStrings, Form::kFields, strings.size, strings.count});
      const size_t left = content.size() - strings.size;
      if (left > 0) regions_.push_back({ElementType::kBytes, Form::kFields, left, 0});
    } else if (region.type == ElementType::kSafetensorsHeader) {
      const size_t folded = tensor::fold_offsets(content).size();
      regions_.push_back({folded > 0 ? region.type : ElementType::kBytes, Form::kFields, content.size(), folded});
    } else if (region.type == ElementType::kBytes) {
      regions_.push_back({ElementType::kBytes, Form::kFields, content.size(), 0});
    } else {
      const Result<Form> form = choose_form(content, region.type);
      if (!form.ok()) return form.status();
      regions_.push_back({region.type, *form, content.size(), 0});
    }
  }
  return {};
}

// The stream that all regions of that type share.
Status BlockEncoder::write_shared(Bytes input, ElementType type, DataWriter& writer) {
  const size_t size = shared_size(regions_, type);
  if (size == 0) return {};
  if (const Status status = state_.rest.reserve(size); !status.ok()) return status;
  uint8_t* to = state_.rest.data();
  size_t at = 0;
  for (const Region& region : regions_) {
    const Bytes content = input.subspan(at, region.size);
    at += region.size;
    if (region.type != type) continue;
    if (type == ElementType::kStrings) {
      to = tensor::strip_lengths(content, to);
    } else if (type == ElementType::kSafetensorsHeader) {
      const std::vector<uint8_t> folded = tensor::fold_offsets(content);
      to = std::copy(folded.begin(), folded.end(), to);
    } else {
      std::memcpy(to, content.data(), content.size());
      to += content.size();
    }
  }
  StepParameters parameters = parameters_;
  const int least = type == ElementType::kStrings ? kStringsLevel : kRestLevel;
  if (size <= kMostRestPerBlock) parameters.level = std::max(parameters.level, least);
  return tensor::write_zstd_stream(Bytes(state_.rest.data(), size), parameters, state_.streams, workspace_, writer);
}

Result<size_t> BlockEncoder::encode(Bytes input, MutableBytes output) {
  if (const Status status = plan_regions(input); !status.ok()) return status;
  DataWriter writer(output);
  writer.put_varint(regions_.size());
  for (const Region& region : regions_) {
    writer.put_varint(static_cast<uint64_t>(region.type) * 4 + static_cast<uint64_t>(region.form));
    writer.put_varint(region.size);
    if (has_extra(region.type)) writer.put_varint(region.extra);
  }
  size_t at = 0;
  for (const Region& region : regions_) {
    const Bytes content = input.subspan(at, region.size);
    at += region.size;
    if (is_text(region.type)) continue;
    if (const Status status = write_region(content, region.type, region.form, writer); !status.ok()) return status;
  }
  for (const ElementType type : kSharing) {
    if (const Status status = write_shared(input, type, writer); !status.ok()) return status;
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
  Status read_regions(size_t content_size);
  Status read_fields(ElementType type, MutableBytes content);
  Status read_whole(MutableBytes content);
  Status read_shared(ElementType type, MutableBytes output);

  ByteReader data_;
  TensorState& state_;
  Workspace& workspace_;
  std::vector<Region> regions_;
};

Status BlockDecoder::read_regions(size_t content_size) {
  const uint64_t count = data_.read_varint();
  // Each region takes two bytes at least: nothing is reserved for more than there can be.
  if (!data_.ok() || count > data_.remaining() / 2) return Status(Code::kCorrupt, "tensor: number of regions", 0);
  size_t left = content_size;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t offset = data_.position();
    const Status wrong(Code::kCorrupt, "tensor: region", offset);
    const uint64_t kind = data_.read_varint();
    const uint64_t size = data_.read_varint();
    const ElementTypeInfo* type = find_element_type(kind / 4);
    if (!data_.ok() || type == nullptr || size == 0 || size > left) return wrong;
    Region region{type->type, static_cast<Form>(kind % 4), static_cast<size_t>(size), 0};
    if (region.form == Form::kDifferences && !is_text(region.type)) {
      return Status(Code::kUnsupportedFeature, "tensor: differences from a base", offset);
    }
    if (region.form != Form::kFields && (region.form != Form::kWhole || is_text(region.type))) return wrong;
    if (region.form == Form::kFields && size % type->size != 0) return wrong;
    if (has_extra(region.type)) {
      const uint64_t extra = data_.read_varint();
      const uint64_t most = region.type == ElementType::kStrings ? size / tensor::kLengthBytes : size;
      if (!data_.ok() || extra == 0 || extra > most) return wrong;
      region.extra = static_cast<size_t>(extra);
    }
    left -= region.size;
    regions_.push_back(region);
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

Status BlockDecoder::read_shared(ElementType type, MutableBytes output) {
  const size_t size = shared_size(regions_, type);
  if (size == 0) return {};
  if (const Status status = state_.rest.reserve(size); !status.ok()) return status;
  const uint64_t offset = data_.position();
  const MutableBytes room(state_.rest.data(), size);
  const Result<const uint8_t*> stream = tensor::read_stream(data_, room, state_.streams, workspace_);
  if (!stream.ok()) return stream.status();
  const uint8_t* from = *stream;
  const uint8_t* const end = from + size;
  for (const Region& region : regions_) {
    const MutableBytes content = output.first(region.size);
    output = output.subspan(region.size);
    if (region.type != type) continue;
    if (type == ElementType::kStrings) {
      from = tensor::restore_lengths(Bytes(from, end), region.extra, content);
      if (from == nullptr) return Status(Code::kCorrupt, "tensor: strings", offset);
    } else if (type == ElementType::kSafetensorsHeader) {
      if (!tensor::unfold_offsets(Bytes(from, region.extra), content)) {
        return Status(Code::kCorrupt, "tensor: safetensors header", offset);
      }
      from += region.extra;
    } else {
      std::memcpy(content.data(), from, content.size());
      from += content.size();
    }
  }
  return from == end ? Status() : Status(Code::kCorrupt, "tensor: strings", offset);
}

Status BlockDecoder::decode(MutableBytes output) {
  if (const Status status = read_regions(output.size()); !status.ok()) return status;
  uint8_t* to = output.data();
  for (const Region& region : regions_) {
    const MutableBytes content(to, region.size);
    to += region.size;
    if (is_text(region.type)) continue;
    const Status status = region.form == Form::kFields ? read_fields(region.type, content) : read_whole(content);
    if (!status.ok()) return status;
  }
  for (const ElementType type : kSharing) {
    if (const Status status = read_shared(type, output); !status.ok()) return status;
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

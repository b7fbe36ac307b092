#include "codec/model/pytorch_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "codec/model/array_size.h"
#include "codec/model/pickle_reader.h"

namespace glyd {
namespace {

using Id = PickleValues::Id;

constexpr uint64_t kMaxPickleBytes = uint64_t{64} << 20;
constexpr size_t kMaxDimensions = 64;
// A parameter with attributes of a subclass of tensors: functions that are called with functions.
constexpr int kMaxWrappers = 8;

struct Dtype {
  std::string_view storage;  // the class that old dtypes have
  std::string_view name;
  ElementType type;
  uint32_t size;  // bytes of one element of the shape
};

constexpr std::array kDtypes = {
    Dtype{"FloatStorage", "float32", ElementType::kFp32, 4},
    Dtype{"DoubleStorage", "float64", ElementType::kFp64, 8},
    Dtype{"HalfStorage", "float16", ElementType::kFp16, 2},
    Dtype{"BFloat16Storage", "bfloat16", ElementType::kBf16, 2},
    Dtype{"CharStorage", "int8", ElementType::kInt8, 1},
    Dtype{"ByteStorage", "uint8", ElementType::kInt8, 1},
    Dtype{"BoolStorage", "bool", ElementType::kInt8, 1},
    Dtype{"ShortStorage", "int16", ElementType::kInt16, 2},
    Dtype{"IntStorage", "int32", ElementType::kInt32, 4},
    Dtype{"LongStorage", "int64", ElementType::kInt64, 8},
    Dtype{"ComplexFloatStorage", "complex64", ElementType::kFp32, 8},
    Dtype{"ComplexDoubleStorage", "complex128", ElementType::kFp64, 16},
    Dtype{"Float8_e4m3fnStorage", "float8_e4m3fn", ElementType::kFp8E4m3, 1},
    Dtype{"Float8_e5m2Storage", "float8_e5m2", ElementType::kFp8E5m2, 1},
    Dtype{"Float8_e4m3fnuzStorage", "float8_e4m3fnuz", ElementType::kFp8E4m3, 1},
    Dtype{"Float8_e5m2fnuzStorage", "float8_e5m2fnuz", ElementType::kFp8E5m2, 1},
    Dtype{"", "uint16", ElementType::kInt16, 2},
    Dtype{"", "uint32", ElementType::kInt32, 4},
    Dtype{"", "uint64", ElementType::kInt64, 8},
};

const Dtype* find_dtype(std::string_view name) {
  for (const Dtype& dtype : kDtypes) {
    if (!name.empty() && (dtype.storage == name || dtype.name == name)) return &dtype;
  }
  return nullptr;
}

// The member that holds the bytes of tensors.
struct Storage {
  std::string_view key;
  uint64_t begin = 0;
  uint64_t size = 0;
  const Dtype* dtype = nullptr;
  bool has_tensor = false;  // one that is all of it
};

class TensorCollector {
 public:
  TensorCollector(const PickleValues& values, std::vector<Storage>& storages, bool little_endian, ModelMap& map)
      : values_(values), storages_(storages), little_endian_(little_endian), map_(map), visited_(values.count()) {
    for (Storage& storage : storages) by_key_.emplace(storage.key, &storage);
  }

  // Tensors by their names, and storages by their keys where no tensor stands for them.
  void collect() {
    find_storage_types();
    walk();
    for (const Storage& storage : storages_) {
      if (!storage.has_tensor) add_storage(storage);
    }
  }

 private:
  struct Place {
    Id value;
    std::string name;
  };
  struct TensorCall {
    Storage* storage;
    const Dtype* dtype;
    Id arguments;
  };

  void find_storage_types();
  void walk();
  void add_children(const Place& place);
  void add_child(const Place& parent, std::string_view step, Id child);
  Storage* find_storage(Id id, const Dtype*& dtype) const;
  std::optional<TensorCall> find_tensor_call(Id id) const;
  bool read_numbers(Id sequence, std::vector<uint64_t>& numbers) const;
  void add_tensor(const TensorCall& call, const std::string& name);
  void add_storage(const Storage& storage);
  bool is_container(Id id) const {
    const PickleKind kind = values_.kind(id);
    return kind == PickleKind::kSequence || kind == PickleKind::kDictionary || kind == PickleKind::kObject;
  }
  ElementType type_of(const Dtype* dtype) const {
    return dtype != nullptr && little_endian_ ? dtype->type : ElementType::kBytes;
  }

  const PickleValues& values_;
  std::vector<Storage>& storages_;
  bool little_endian_;
  ModelMap& map_;
  std::unordered_map<std::string_view, Storage*> by_key_;
  std::vector<bool> visited_;
  std::vector<Place> places_;
  uint64_t name_bytes_ = 0;
};

// A storage is named by ("storage", class, key, device, number of elements).
Storage* TensorCollector::find_storage(Id id, const Dtype*& dtype) const {
  if (values_.kind(id) != PickleKind::kPersistent) return nullptr;
  const Id name = values_.persistent_name(id);
  if (values_.text(values_.element(name, 0)) != "storage") return nullptr;
  const auto found = by_key_.find(values_.text(values_.element(name, 2)));
  if (found == by_key_.end()) return nullptr;
  dtype = find_dtype(values_.global_name(values_.element(name, 1)));
  return found->second;
}

void TensorCollector::find_storage_types() {
  for (Id id = 0; id < values_.count(); ++id) {
    const Dtype* dtype = nullptr;
    Storage* const storage = find_storage(id, dtype);
    if (storage != nullptr && storage->dtype == nullptr) storage->dtype = dtype;
  }
}

// What a call makes a tensor of; nothing when it makes none.
std::optional<TensorCollector::TensorCall> TensorCollector::find_tensor_call(Id id) const {
  constexpr std::string_view kModule = "torch._utils";
  if (values_.kind(id) != PickleKind::kObject) return std::nullopt;
  Id callable = values_.callable(id);
  Id arguments = values_.arguments(id);
  for (int i = 0; i < kMaxWrappers; ++i) {
    if (values_.is_global(callable, "torch._tensor", "_rebuild_from_type_v2")) {
      callable = values_.element(arguments, 0);
      arguments = values_.element(arguments, 2);
    } else if (values_.is_global(callable, kModule, "_rebuild_parameter") ||
               values_.is_global(callable, kModule, "_rebuild_parameter_with_state")) {
      const Id inner = values_.element(arguments, 0);
      if (values_.kind(inner) != PickleKind::kObject) return std::nullopt;
      callable = values_.callable(inner);
      arguments = values_.arguments(inner);
    } else {
      break;
    }
  }
  const bool is_v3 = values_.is_global(callable, kModule, "_rebuild_tensor_v3");
  if (!is_v3 && !values_.is_global(callable, kModule, "_rebuild_tensor_v2") &&
      !values_.is_global(callable, kModule, "_rebuild_tensor")) {
    return std::nullopt;
  }
  TensorCall call{nullptr, nullptr, arguments};
  call.storage = find_storage(values_.element(arguments, 0), call.dtype);
  if (is_v3) call.dtype = find_dtype(values_.global_name(values_.element(arguments, 6)));
  return call;
}

bool TensorCollector::read_numbers(Id sequence, std::vector<uint64_t>& numbers) const {
  if (values_.kind(sequence) != PickleKind::kSequence) return false;
  const std::vector<Id> elements = values_.elements(sequence, kMaxDimensions + 1);
  if (elements.size() > kMaxDimensions) return false;
  for (const Id element : elements) {
    const std::optional<int64_t> number = values_.integer(element);
    if (!number || *number < 0) return false;
    numbers.push_back(static_cast<uint64_t>(*number));
  }
  return true;
}

// Whether each row follows the one before it.
bool is_contiguous(const std::vector<uint64_t>& shape, const std::vector<uint64_t>& strides) {
  if (shape.size() != strides.size()) return false;
  std::optional<uint64_t> expected = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && expected != strides[i]) return false;
    expected = expected ? checked_product(*expected, shape[i]) : std::nullopt;
  }
  return true;
}

// The arguments are storage, offset, shape, strides, ...
void TensorCollector::add_tensor(const TensorCall& call, const std::string& name) {
  if (call.storage == nullptr || call.dtype == nullptr) return;
  Storage& storage = *call.storage;
  if (storage.dtype == nullptr) storage.dtype = call.dtype;
  const std::optional<int64_t> first = values_.integer(values_.element(call.arguments, 1));
  TensorEntry tensor;
  std::vector<uint64_t> strides;
  if (!first || *first < 0 || !read_numbers(values_.element(call.arguments, 2), tensor.shape) ||
      !read_numbers(values_.element(call.arguments, 3), strides)) {
    return;
  }
  const std::optional<uint64_t> size = array_bytes(tensor.shape, call.dtype->size);
  const std::optional<uint64_t> offset = checked_product(static_cast<uint64_t>(*first), call.dtype->size);
  if (!size || !offset || *offset > storage.size || *size > storage.size - *offset) return;
  if (*size > 0 && !is_contiguous(tensor.shape, strides)) return;
  tensor.name = name;
  tensor.dtype = call.dtype->name;
  tensor.type = type_of(call.dtype);
  tensor.offset = storage.begin + *offset;
  tensor.size = *size;
  storage.has_tensor = storage.has_tensor || *size == storage.size;
  map_.tensors.push_back(std::move(tensor));
}

void TensorCollector::add_storage(const Storage& storage) {
  TensorEntry tensor;
  tensor.name = "data/" + std::string(storage.key);
  tensor.dtype = storage.dtype != nullptr ? storage.dtype->name : "bytes";
  tensor.type = type_of(storage.dtype);
  tensor.shape = {storage.size / (storage.dtype != nullptr ? storage.dtype->size : 1)};
  tensor.offset = storage.begin;
  tensor.size = storage.size;
  map_.tensors.push_back(std::move(tensor));
}

// Values may contain one another in circles and in exponentially many ways: each container is entered once.
void TensorCollector::walk() {
  places_.push_back({values_.root(), ""});
  while (!places_.empty()) {
    const Place place = std::move(places_.back());
    places_.pop_back();
    if (map_.tensors.size() + storages_.size() > kMaxTensors) return;
    if (const std::optional<TensorCall> call = find_tensor_call(place.value)) {
      add_tensor(*call, place.name);
    } else if (is_container(place.value) && !visited_[place.value]) {
      visited_[place.value] = true;
      const size_t begin = places_.size();
      add_children(place);
      // The last in is the first out, and of two tensors of one name the first in the file counts.
      std::reverse(places_.begin() + static_cast<std::ptrdiff_t>(begin), places_.end());
    }
  }
}

void TensorCollector::add_children(const Place& place) {
  const std::vector<Id> elements = values_.elements(place.value);
  if (values_.has_items(place.value)) {
    for (size_t i = 0; i + 1 < elements.size(); i += 2) {
      const std::optional<int64_t> number = values_.integer(elements[i]);
      add_child(place, number ? std::to_string(*number) : values_.text(elements[i]), elements[i + 1]);
    }
  } else {
    for (size_t i = 0; i < elements.size(); ++i) add_child(place, std::to_string(i), elements[i]);
  }
  // Attributes of an object: a dictionary whose keys follow the object's own name.
  if (values_.state(place.value) != 0) add_child(place, "", values_.state(place.value));
  if (values_.kind(place.value) == PickleKind::kObject) add_child(place, "", values_.arguments(place.value));
}

// Names together are bounded as well: every one may begin with the same long key.
void TensorCollector::add_child(const Place& parent, std::string_view step, Id child) {
  if (!is_container(child) || (visited_[child] && !find_tensor_call(child))) return;
  const bool joined = !parent.name.empty() && !step.empty();
  const uint64_t size = parent.name.size() + (joined ? 1 : 0) + step.size();
  if (size > kMaxNameBytes || size > kMaxHeaderBytes - name_bytes_) return;
  name_bytes_ += size;
  std::string name = parent.name;
  if (joined) name += '.';
  name += step;
  places_.push_back({child, std::move(name)});
}

bool is_little_endian(HeaderSource& file, const ZipMember* byte_order) {
  std::array<uint8_t, 3> text{};
  if (byte_order == nullptr || byte_order->size != text.size()) return true;
  const std::optional<uint64_t> begin = find_member_data(file, *byte_order);
  return !begin || !file.read(*begin, text) || text != std::array<uint8_t, 3>{'b', 'i', 'g'};
}

}  // namespace

std::optional<ModelMap> read_pytorch(HeaderSource& file, const std::vector<ZipMember>& members) {
  constexpr std::string_view kPickleName = "data.pkl";
  const ZipMember* pickle = nullptr;
  for (const ZipMember& member : members) {
    const bool named = member.name == kPickleName || member.name.ends_with("/data.pkl");
    if (named && pickle == nullptr) pickle = &member;
  }
  if (pickle == nullptr || pickle->size > kMaxPickleBytes) return std::nullopt;
  const std::string prefix = pickle->name.substr(0, pickle->name.size() - kPickleName.size());
  const std::string storage_prefix = prefix + "data/";
  const ZipMember* byte_order = nullptr;
  std::vector<Storage> storages;
  for (const ZipMember& member : members) {
    if (member.name == prefix + "byteorder") byte_order = &member;
    if (!member.name.starts_with(storage_prefix)) continue;
    const std::optional<uint64_t> begin = find_member_data(file, member);
    if (!begin) continue;
    storages.push_back({std::string_view(member.name).substr(storage_prefix.size()), *begin, member.size});
  }
  const std::optional<uint64_t> pickle_begin = find_member_data(file, *pickle);
  Buffer bytes;
  if (storages.empty() || !pickle_begin || !file.read(*pickle_begin, pickle->size, bytes)) return std::nullopt;
  const PickleValues values = read_pickle(Bytes(bytes.data(), static_cast<size_t>(pickle->size)));
  ModelMap map;
  map.format = ModelFormat::kPytorch;
  TensorCollector(values, storages, is_little_endian(file, byte_order), map).collect();
  return map;
}

}  // namespace glyd

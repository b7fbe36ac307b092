#include "codec/transform/tensor/tensor_transform.h"

#include <gtest/gtest.h>

#include "codec/entropy/histogram.h"
#include "codec/plan/level.h"
#include "codec/transform/tensor/element_fields.h"
#include "tests/adversarial_inputs.h"

namespace glyd {
namespace {

using testing::NamedInput;
using testing::Random;
using ByteVector = std::vector<uint8_t>;
using Regions = std::vector<TypedRegion>;

const Transform& tensor_transform() {
  return *find_transform(static_cast<uint32_t>(TransformId::kTensor));
}

StepParameters parameters_of(int level, const Regions& regions) {
  StepParameters parameters;
  if (level != kLevelLz4) parameters = level_settings(level, 0)->parameters;
  parameters.regions = regions;
  return parameters;
}

ByteVector encode(Bytes content, const Regions& regions, int level, Workspace& workspace) {
  ByteVector data(content.size() + 1000);
  const Result<size_t> size = tensor_transform().encode(content, data, parameters_of(level, regions), workspace);
  EXPECT_TRUE(size.ok()) << size.status().text();
  data.resize(size.ok() ? *size : 0);
  return data;
}

void expect_round_trip(const std::string& name, Bytes content, const Regions& regions, int level) {
  Workspace workspace;
  const ByteVector data = encode(content, regions, level, workspace);
  ByteVector decoded(content.size());
  const Status status = tensor_transform().decode(data, decoded, workspace);
  ASSERT_TRUE(status.ok()) << name << ": " << status.text();
  ASSERT_TRUE(std::equal(decoded.begin(), decoded.end(), content.begin())) << name << " at level " << level;
  EXPECT_EQ(encode(content, regions, level, workspace), data) << name << ": not the same bytes twice";
}

// Weights of a Gaussian kind: noise in all but the top 9 bits.
ByteVector weights(size_t count, uint64_t seed) {
  Random random(seed);
  ByteVector bytes(2 * count);
  for (size_t i = 0; i < count; ++i) {
    int64_t sum = 0;
    for (int k = 0; k < 12; ++k) sum += static_cast<int64_t>(random.below(1 << 20)) - (1 << 19);
    const float value = static_cast<float>(sum) * 1e-9f;
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    store_le(&bytes[2 * i], static_cast<uint16_t>(bits >> 16));
  }
  return bytes;
}

constexpr int kLevels[] = {kLevelLz4, -5, 1, 3, 12, 19};

TEST(ElementFields, CoverEveryByteOfEveryTypeOnce) {
  for (const ElementTypeInfo& info : kElementTypes) {
    if (is_text(info.type)) continue;
    std::vector<int> covered(info.size);
    for (const tensor::Field& field : tensor::fields_of(info.type)) {
      for (unsigned i = 0; i < field.width; ++i) ++covered.at(field.offset + i);
      // Exponent and sign with mantissa share two bytes; the first is entered here for the exponent's.
      if (field.kind == tensor::Field::Kind::kSignMantissa) --covered[field.offset], ++covered[field.offset + 1];
    }
    EXPECT_EQ(covered, std::vector<int>(info.size, 1)) << info.name;
    EXPECT_LE(tensor::fields_of(info.type).size(), tensor::kMaxFields);
    EXPECT_LE(tensor::chunk_elements(info.type) * info.size, tensor::kChunkBytes);
  }
}

TEST(ElementFields, SplitAndJoinEveryPatternOf16Bits) {
  for (const ElementType type : {ElementType::kBf16, ElementType::kFp16, ElementType::kFp32, ElementType::kFp64}) {
    const size_t size = find_element_type(static_cast<uint64_t>(type))->size;
    ByteVector elements = testing::random_bytes(65536 * size, 1);
    for (size_t i = 0; i < 65536; ++i) store_le(&elements[i * size + size - 2], static_cast<uint16_t>(i));
    ByteVector planes(elements.size());
    std::array<uint8_t*, tensor::kMaxFields> places{};
    std::array<const uint8_t*, tensor::kMaxFields> sources{};
    for (size_t i = 0; i < size; ++i) sources[i] = places[i] = planes.data() + 65536 * i;
    tensor::split_elements(type, elements.data(), 65536, std::span(places).first(size));
    ByteVector joined(elements.size());
    tensor::join_elements(type, std::span(sources).first(size), 65536, joined.data());
    EXPECT_EQ(joined, elements);
    if (type == ElementType::kFp16) continue;
    for (size_t i = 0; i < 65536; ++i) {
      // As spec.md has E and S.
      ASSERT_EQ(planes[i], i >> 7 & 255);
      ASSERT_EQ(planes[65536 + i], (i >> 8 & 128) | (i & 127));
    }
  }
}

TEST(ElementFields, DifferencesComeBack) {
  const ByteVector values = testing::random_bytes(1000, 1);
  const ByteVector base = testing::random_bytes(1000, 2);
  ByteVector changed = values;
  tensor::subtract_bytes(changed.data(), base.data(), changed.size());
  for (size_t i = 0; i < changed.size(); ++i) ASSERT_EQ(changed[i], static_cast<uint8_t>(values[i] - base[i]));
  tensor::add_bytes(changed.data(), base.data(), changed.size());
  EXPECT_EQ(changed, values);
}

TEST(TensorTransform, RoundTripsEveryTypeOnEveryInput) {
  for (const ElementTypeInfo& info : kElementTypes) {
    for (const NamedInput& input : testing::adversarial_inputs()) {
      const uint64_t whole = input.bytes.size() / info.size * info.size;
      if (whole == 0) continue;
      Regions regions = {{0, whole, info.type}};
      if (whole < input.bytes.size()) regions.push_back({whole, input.bytes.size() - whole, ElementType::kBytes});
      for (const int level : {kLevelLz4, 3}) {
        expect_round_trip(std::string(info.name) + " of " + input.name, input.bytes, regions, level);
      }
    }
  }
}

TEST(TensorTransform, RoundTripsAtEveryKindOfLevel) {
  const ByteVector content = weights(300000, 1);
  for (const int level : kLevels) {
    expect_round_trip("weights", content, {{0, content.size(), ElementType::kBf16}}, level);
    expect_round_trip("weights", content, {{0, content.size(), ElementType::kFp32}}, level);
  }
}

TEST(TensorTransform, RoundTripsAroundTheEndOfAChunk) {
  for (const ElementType type : {ElementType::kBf16, ElementType::kFp32, ElementType::kQ8_0, ElementType::kInt8}) {
    const size_t size = find_element_type(static_cast<uint64_t>(type))->size;
    for (const size_t count : {tensor::chunk_elements(type) - 1, tensor::chunk_elements(type),
                               tensor::chunk_elements(type) + 1, 2 * tensor::chunk_elements(type) + 3}) {
      const ByteVector content = weights(count * size / 2 + 1, count);
      expect_round_trip("chunks", Bytes(content).first(count * size), {{0, count * size, type}}, 3);
    }
  }
}

TEST(TensorTransform, MixesTypesAndText) {
  ByteVector content = testing::log_text(10001, 1);
  const ByteVector numbers = weights(50000, 2);
  content.insert(content.end(), numbers.begin(), numbers.end());
  const ByteVector more_text = testing::log_text(777, 3);
  content.insert(content.end(), more_text.begin(), more_text.end());
  content.insert(content.end(), numbers.begin(), numbers.begin() + 4000);
  content.push_back(1);
  const Regions regions = {{0, 10001, ElementType::kBytes},
                           {10001, 100000, ElementType::kBf16},
                           {110001, 777, ElementType::kBytes},
                           {110778, 4000, ElementType::kFp32},
                           {114778, 1, ElementType::kBytes}};
  for (const int level : kLevels) expect_round_trip("mixture", content, regions, level);
  Workspace workspace;
  // 10.7 bits of 16 a weight, and text that is coded together.
  EXPECT_LT(encode(content, regions, 3, workspace).size(), 100000 * 10.75 / 16 + 4000 + 2500);
}

TEST(TensorTransform, WeightsComeCloseToTheirEntropy) {
  const ByteVector content = weights(1 << 20, 7);
  Histogram exponents{};
  for (size_t i = 0; i < content.size(); i += 2) ++exponents[load_le<uint16_t>(&content[i]) >> 7 & 255];
  const double floor = (8.0 * (1 << 20) + entropy_bits(exponents)) / 8;
  Workspace workspace;
  const Regions regions = {{0, content.size(), ElementType::kBf16}};
  EXPECT_LT(static_cast<double>(encode(content, regions, 3, workspace).size()), floor + 0.015 * (1 << 20) / 8);
  EXPECT_LT(static_cast<double>(encode(content, regions, kLevelLz4, workspace).size()), floor + 0.06 * (1 << 20) / 8);
}

// What has repetitions is no larger than zstd makes it, whatever its type is said to be.
TEST(TensorTransform, RepetitionsAreFound) {
  ByteVector content;
  const ByteVector row = weights(5000, 1);
  for (int i = 0; i < 100; ++i) content.insert(content.end(), row.begin(), row.end());
  ByteVector indices(400000);
  for (size_t i = 0; i < indices.size(); i += 8) store_le(&indices[i], uint64_t{i / 8 % 512});
  Workspace workspace;
  EXPECT_LT(encode(content, {{0, content.size(), ElementType::kBf16}}, 3, workspace).size(), row.size());
  EXPECT_LT(encode(indices, {{0, indices.size(), ElementType::kInt64}}, 3, workspace).size(), 4096u);
}

TEST(TensorTransform, BytesOfAnExample) {
  // Three bf16 numbers, 1.0, 1.0, -1.0: exponents all 127; sign and mantissa 0, 0, 128. Then the byte 'x'.
  const ByteVector content = {0x80, 0x3F, 0x80, 0x3F, 0x80, 0xBF, 'x'};
  const ByteVector data = {2, 1 * 4, 6, 0,   1,  // two regions: bf16 of 6 bytes, bytes of 1
                           1, 127,               // E: all equal
                           0, 0,     0, 128,     // S: as they are
                           1, 'x'};              // the rest: all equal
  Workspace workspace;
  ByteVector decoded(content.size());
  ASSERT_TRUE(tensor_transform().decode(data, decoded, workspace).ok());
  EXPECT_EQ(decoded, content);
}

TEST(TensorTransform, RefusesWhatSpecForbids) {
  const std::vector<std::pair<const char*, ByteVector>> wrong = {
      {"no data", {}},
      {"no region", {0}},
      {"more regions than bytes", {0xFF, 0xFF, 0x03}},
      {"unknown type", {1, 11 * 4, 4, 1, 0}},
      {"unknown form", {1, 1 * 4 + 3, 4, 1, 0}},
      {"bytes of form 2", {1, 0 * 4 + 2, 4, 1, 0}},
      {"size 0", {2, 1 * 4, 0, 1 * 4, 4, 1, 0, 1, 0}},
      {"size beyond the content", {1, 1 * 4, 6, 1, 0, 1, 0}},
      {"size below the content", {1, 1 * 4, 2, 1, 0, 1, 0}},
      {"half an element", {2, 1 * 4, 3, 0, 1, 1, 0, 1, 0, 1, 0}},
      {"no stream", {1, 1 * 4, 4, 1, 0}},
      {"unknown coding", {1, 1 * 4, 4, 1, 0, 5, 1, 0}},
      {"stream cut off", {1, 1 * 4, 4, 1, 0, 0, 7}},
      {"coded stream cut off", {1, 1 * 4, 4, 1, 0, 2, 9, 7}},
      {"data left over", {1, 1 * 4, 4, 1, 0, 1, 0, 0}},
  };
  Workspace workspace;
  ByteVector output(4);
  for (const auto& [name, data] : wrong) {
    EXPECT_EQ(tensor_transform().decode(data, output, workspace).code(), Code::kCorrupt) << name;
  }
  const ByteVector differences = {1, 1 * 4 + 1, 4, 1, 0, 1, 0};
  EXPECT_EQ(tensor_transform().decode(differences, output, workspace).code(), Code::kUnsupportedFeature);
  EXPECT_TRUE(tensor_transform().decode(ByteVector{1, 1 * 4, 4, 1, 0, 1, 0}, output, workspace).ok());
}

TEST(TensorTransform, DamageNeverCrashes) {
  ByteVector content = weights(20000, 2);
  const ByteVector text = testing::log_text(3000, 3);
  content.insert(content.end(), text.begin(), text.end());
  const Regions regions = {{0, 40000, ElementType::kBf16}, {40000, 3000, ElementType::kBytes}};
  Workspace workspace;
  Random random(4);
  for (const int level : {kLevelLz4, 3}) {
    const ByteVector data = encode(content, regions, level, workspace);
    ByteVector output(content.size());
    for (size_t cut = 0; cut < data.size(); cut += 1 + cut / 50) {
      EXPECT_FALSE(tensor_transform().decode(Bytes(data).first(cut), output, workspace).ok());
    }
    for (int round = 0; round < 2000; ++round) {
      ByteVector damaged = data;
      damaged[random.below(round % 2 == 0 ? 60 : data.size())] ^= static_cast<uint8_t>(1u << random.below(8));
      (void)tensor_transform().decode(damaged, output, workspace);
    }
  }
}

TEST(TensorTransform, MemoryIsWhatItSays) {
  EXPECT_LE(tensor::kChunkBytes + (4096 + 256) * 4 + 192 * 1024, tensor_transform().decoder_memory(0));
}

}  // namespace
}  // namespace glyd

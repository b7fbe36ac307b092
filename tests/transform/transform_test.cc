#include "codec/transform/transform.h"

#include <gtest/gtest.h>

#include "codec/plan/level.h"
#include "tests/adversarial_inputs.h"

// What every transform of the registry has to do; a new one is covered by being in it.
namespace glyd {
namespace {

using testing::adversarial_inputs;
using testing::NamedInput;
using testing::Random;

std::vector<StepParameters> parameter_choices(const Transform& transform) {
  if (transform.id() != TransformId::kZstd) return {{}};
  std::vector<StepParameters> choices;
  for (const int level : {-50, -1, 1, 3, 7, 12, 16, 19}) choices.push_back({level, 20, false});
  choices.push_back({3, 27, true});
  return choices;
}

class EveryTransform : public ::testing::TestWithParam<uint32_t> {
 protected:
  const Transform& transform() { return *find_transform(GetParam()); }
  // Encodes with all the room that could be needed; an empty result says that the transform declined.
  std::vector<uint8_t> encode(Bytes input, const StepParameters& parameters) {
    std::vector<uint8_t> output(input.size() * 2 + 1000);
    const Result<size_t> size = transform().encode(input, output, parameters, workspace_);
    EXPECT_TRUE(size.ok()) << size.status().text();
    output.resize(size.ok() ? *size : 0);
    return output;
  }
  Workspace workspace_;
};

TEST_P(EveryTransform, RoundTrips) {
  for (const NamedInput& input : adversarial_inputs()) {
    if (input.bytes.empty()) continue;
    for (const StepParameters& parameters : parameter_choices(transform())) {
      const std::vector<uint8_t> encoded = encode(input.bytes, parameters);
      std::vector<uint8_t> decoded(input.bytes.size());
      const Status status = transform().decode(encoded, decoded, workspace_);
      EXPECT_TRUE(status.ok()) << input.name << ": " << status.text();
      EXPECT_EQ(decoded, input.bytes) << input.name << ", level " << parameters.level;
      EXPECT_EQ(encode(input.bytes, parameters), encoded) << input.name << ": not the same bytes twice";
    }
  }
}

TEST_P(EveryTransform, SaysWhenThereIsNoRoom) {
  for (const NamedInput& input : adversarial_inputs()) {
    if (input.bytes.empty()) continue;
    const StepParameters parameters = parameter_choices(transform()).front();
    const size_t needed = encode(input.bytes, parameters).size();
    for (const size_t room : {size_t{0}, needed / 2, needed - 1}) {
      std::vector<uint8_t> guarded(room + 8, 0xA5);
      const Result<size_t> size =
          transform().encode(input.bytes, MutableBytes(guarded).first(room), parameters, workspace_);
      if (size.ok()) {
        EXPECT_LE(*size, room) << input.name;
      } else {
        EXPECT_EQ(size.status().code(), Code::kDestinationTooSmall) << input.name;
      }
      EXPECT_EQ(load_le<uint64_t>(guarded.data() + room), 0xA5A5A5A5A5A5A5A5u) << "wrote beyond its room";
    }
  }
}

TEST_P(EveryTransform, RefusesAnotherSizeThanExpected) {
  const std::vector<uint8_t> input = testing::log_text(5000, 1);
  const std::vector<uint8_t> encoded = encode(input, parameter_choices(transform()).front());
  for (const size_t size : {size_t{1}, input.size() - 1, input.size() + 1, 2 * input.size()}) {
    std::vector<uint8_t> decoded(size);
    EXPECT_EQ(transform().decode(encoded, decoded, workspace_).code(), Code::kCorrupt) << size;
  }
}

TEST_P(EveryTransform, RefusesEveryTruncationAndTrailingBytes) {
  const std::vector<uint8_t> input = testing::log_text(5000, 2);
  std::vector<uint8_t> encoded = encode(input, parameter_choices(transform()).front());
  std::vector<uint8_t> decoded(input.size());
  for (size_t size = 0; size < encoded.size(); ++size) {
    EXPECT_FALSE(transform().decode(Bytes(encoded).first(size), decoded, workspace_).ok()) << size;
  }
  for (int extra = 0; extra < 20; ++extra) {
    encoded.push_back(static_cast<uint8_t>(extra * 37));
    EXPECT_FALSE(transform().decode(encoded, decoded, workspace_).ok()) << extra;
  }
}

TEST_P(EveryTransform, SurvivesDamageAndNoise) {
  const std::vector<uint8_t> input = testing::log_text(3000, 3);
  const std::vector<uint8_t> encoded = encode(input, parameter_choices(transform()).front());
  std::vector<uint8_t> decoded(input.size());
  for (size_t bit = 0; bit < encoded.size() * 8; ++bit) {
    std::vector<uint8_t> damaged = encoded;
    damaged[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    const Status status =
        transform().decode(damaged, decoded, workspace_);  // either way: no crash (ASan sees the rest)
    EXPECT_TRUE(status.ok() || static_cast<int>(status.code()) >= 200) << bit;
  }
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const std::vector<uint8_t> noise = testing::random_bytes(Random(seed).below(300), seed);
    EXPECT_FALSE(transform().decode(noise, decoded, workspace_).ok()) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryTransform, ::testing::Range(1u, kMaxTransformId + 1),
                         [](const auto& transform) {
                           std::string name = find_transform(transform.param)->name();
                           std::erase(name, '-');
                           return name;
                         });

TEST(Registry, KnowsItsIdsAndNoOthers) {
  for (uint32_t id = 1; id <= kMaxTransformId; ++id) {
    ASSERT_NE(find_transform(id), nullptr);
    EXPECT_EQ(static_cast<uint32_t>(find_transform(id)->id()), id);
  }
  EXPECT_EQ(find_transform(0), nullptr);
  EXPECT_EQ(find_transform(kMaxTransformId + 1), nullptr);
  EXPECT_EQ(find_transform(0xFFFFFFFF), nullptr);
}

}  // namespace
}  // namespace glyd

#include <gtest/gtest.h>

#include <numeric>

#include "codec/entropy/weights/weight_packer.h"
#include "codec/entropy/weights/weight_unpacker.h"
#include "tests/entropy/weights_sample.h"
#include "tests/entropy/weights_warp_emulation.h"

// Whatever the matrix: packed, decoded on the CPU, and decoded by an emulated warp, it is what it was.
namespace glyd::weights::testing {
namespace {

constexpr uint16_t kNegativeZero = 0x8000;

// The ways to pack that take different paths.
std::vector<PackOptions> all_options() {
  std::vector<PackOptions> options = {{Layout::kRaw}, {Layout::kFast}, {Layout::kDense}};
  for (uint32_t limit = kMinCodeLimit; limit <= kMaxCodeLimit; ++limit) options.push_back({Layout::kDense, limit, 64});
  options.push_back({Layout::kDense, 6, kMaxEntryColumns});
  return options;
}

std::vector<uint8_t> copy_of(Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

void expect_round_trip(const SampleMatrix& matrix, const PackOptions& options) {
  SCOPED_TRACE(::testing::Message() << matrix.rows << " x " << matrix.columns << " layout "
                                    << static_cast<int>(options.layout) << " limit " << options.code_limit);
  const auto packed = pack_weights(matrix.bytes(), matrix.rows, matrix.columns, options);
  ASSERT_TRUE(packed.ok()) << packed.status().text();
  const auto again = pack_weights(matrix.bytes(), matrix.rows, matrix.columns, options);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(packed->bytes, again->bytes);
  const auto unpacker = WeightUnpacker::open(packed->bytes);
  ASSERT_TRUE(unpacker.ok()) << unpacker.status().text();
  const std::vector<uint8_t> original = copy_of(matrix.bytes());
  std::vector<uint8_t> back(original.size(), 0xAA);
  const Status status = unpacker->unpack(back);
  ASSERT_TRUE(status.ok()) << status.text();
  EXPECT_TRUE(back == original);
  EXPECT_TRUE(unpacker->check().ok());
  if (options.layout == Layout::kRaw) return;
  EXPECT_TRUE(emulate_all(DeviceMemory(packed->bytes)) == original);
}

void expect_round_trips(const SampleMatrix& matrix) {
  for (const PackOptions& options : all_options()) expect_round_trip(matrix, options);
}

SampleMatrix constant(uint64_t rows, uint64_t columns, uint16_t weight) {
  return {rows, columns, std::vector<uint16_t>(rows * columns, weight)};
}

SampleMatrix all_patterns() {
  SampleMatrix matrix = constant(256, 256, 0);
  std::iota(matrix.weights.begin(), matrix.weights.end(), uint16_t{0});
  return matrix;
}

TEST(WeightPacking, AllBitPatterns) {
  expect_round_trips(all_patterns());
}

TEST(WeightPacking, AllBitPatternsShuffled) {
  SampleMatrix matrix = all_patterns();
  glyd::testing::Random random(1);
  for (size_t i = matrix.weights.size() - 1; i > 0; --i) {
    std::swap(matrix.weights[i], matrix.weights[random.below(i + 1)]);
  }
  expect_round_trips(matrix);
}

// Few weights of each pattern among many like those of a layer: the window and the code are then as they usually are,
// and every pattern is met by a patch or an escape.
TEST(WeightPacking, AllBitPatternsAmongUsualWeights) {
  SampleMatrix matrix = layer_weights(512, 1024, 0.2, 2);
  for (size_t i = 0; i < 65536; ++i) matrix.weights[i * 8 + i % 8] = static_cast<uint16_t>(i);
  expect_round_trips(matrix);
}

// A shifted window, in which exponents are not those that are stored; and every bit pattern that it allows.
TEST(WeightPacking, ShiftedWindow) {
  SampleMatrix matrix = constant(64, 1024, 0);
  glyd::testing::Random random(3);
  for (uint16_t& weight : matrix.weights) {
    weight = static_cast<uint16_t>((119 + random.below(8)) << 7 | random.below(128) | random.below(2) << 15);
  }
  const auto usual = pack_weights(matrix.bytes(), matrix.rows, matrix.columns, {Layout::kFast});
  ASSERT_TRUE(usual.ok());
  EXPECT_EQ(usual->report.window.shift, 1u);
  EXPECT_EQ(usual->report.patches, 0u);
  size_t at = 0;
  for (uint32_t pattern = 0; pattern < 65536; ++pattern) {
    const uint32_t exponent = pattern >> 7 & 255;
    const bool subnormal = exponent == 0 && (pattern & 127) != 0;
    if (exponent != 254 && !subnormal && pattern % 3 == 0) matrix.weights[2 * at++] = static_cast<uint16_t>(pattern);
  }
  const auto packed = pack_weights(matrix.bytes(), matrix.rows, matrix.columns, {Layout::kFast});
  ASSERT_TRUE(packed.ok());
  EXPECT_EQ(packed->report.window.shift, 1u);
  EXPECT_GT(packed->report.patches, 20000u);
  expect_round_trips(matrix);
  // One subnormal, and a product of stored values would no longer be that of the weights.
  matrix.weights[1] = kNegativeZero | 1;
  const auto unshifted = pack_weights(matrix.bytes(), matrix.rows, matrix.columns, {Layout::kFast});
  ASSERT_TRUE(unshifted.ok());
  EXPECT_EQ(unshifted->report.window.shift, 0u);
  expect_round_trips(matrix);
}

TEST(WeightPacking, Constants) {
  for (const uint32_t weight : {0x0000u, 0x8000u, 0x3F80u, 0x0001u, 0x7F80u, 0xFF80u, 0x7FC1u, 0xFFFFu, 0x7F7Fu}) {
    expect_round_trips(constant(33, 130, static_cast<uint16_t>(weight)));
  }
}

TEST(WeightPacking, EveryExponentEquallyOften) {
  SampleMatrix matrix = constant(48, 2048, 0);
  for (size_t i = 0; i < matrix.weights.size(); ++i) matrix.weights[i] = static_cast<uint16_t>(i % 256 << 7 | i % 128);
  expect_round_trips(matrix);
}

TEST(WeightPacking, OneExponentOfTwoOutsideEveryWindow) {
  SampleMatrix matrix = constant(16, 256, 0x3F80);
  for (size_t i = 0; i < matrix.weights.size(); i += 2) matrix.weights[i] = 0x0080;
  expect_round_trips(matrix);
}

TEST(WeightPacking, SubnormalsAndSpecialValues) {
  SampleMatrix matrix = layer_weights(70, 200, 0.3, 4);
  glyd::testing::Random random(5);
  for (size_t i = 0; i < matrix.weights.size(); i += 7) {
    const uint16_t special[] = {0x0000, 0x8000, 0x0001, 0x807F, 0x7F80, 0xFF80, 0x7FC0, 0xFF81, 0x7F7F, 0x0080};
    matrix.weights[i] = special[random.below(std::size(special))];
  }
  expect_round_trips(matrix);
}

TEST(WeightPacking, EdgesOfStripsAndBlocks) {
  for (const uint64_t rows : {1u, 15u, 16u, 17u, 63u, 64u, 65u, 81u}) {
    for (const uint64_t columns : {1u, 2u, 63u, 64u, 65u, 129u}) {
      expect_round_trip(layer_weights(rows, columns, 0.2, rows * 1000 + columns), {Layout::kFast});
      expect_round_trip(layer_weights(rows, columns, 0.2, rows * 1000 + columns), {Layout::kDense, 6, 64});
    }
  }
}

TEST(WeightPacking, OneRowAndOneColumn) {
  expect_round_trips(layer_weights(1, 5000, 0.2, 6));
  expect_round_trips(layer_weights(5000, 1, 0.2, 7));
}

TEST(WeightPacking, RandomShapes) {
  glyd::testing::Random random(8);
  for (int i = 0; i < 12; ++i) {
    const uint64_t rows = 1 + random.below(150);
    const uint64_t columns = 1 + random.below(700);
    expect_round_trips(i % 3 == 0 ? random_bits(rows, columns, random.next())
                                  : layer_weights(rows, columns, 0.5, random.next()));
  }
}

// More columns than a segment has: streams start anew, and positions still fit in 16 bits at the longest code words.
TEST(WeightPacking, SeveralSegments) {
  expect_round_trips(layer_weights(17, 2 * kMaxEntryColumns + 100, 0.2, 9));
  SampleMatrix matrix = constant(16, kMaxEntryColumns + 64, 0x3F80);
  for (size_t i = 0; i < matrix.weights.size(); ++i) matrix.weights[i] = static_cast<uint16_t>(i * 37 % 255 << 7);
  expect_round_trip(matrix, {Layout::kDense, 8, 64});
}

// A warp may start at an entry point and go on beyond others.
TEST(WeightPacking, WarpsGoOnFromEveryEntryPoint) {
  SampleMatrix matrix = layer_weights(20, kMaxEntryColumns + 700, 0.2, 10);
  for (size_t i = 0; i < matrix.weights.size(); i += 301) matrix.weights[i] = static_cast<uint16_t>(i * 7919);
  for (const Layout layout : {Layout::kFast, Layout::kDense}) {
    const auto packed = pack_weights(matrix.bytes(), matrix.rows, matrix.columns, {layout, 6, 2048});
    ASSERT_TRUE(packed.ok());
    const DeviceMemory memory(packed->bytes);
    const uint32_t blocks = strip_blocks(memory.header());
    const std::vector<uint32_t> points = entry_points(memory.header());
    for (size_t i = 0; i < points.size(); i += layout == Layout::kFast ? 37 : 1) {
      const std::vector<uint16_t> rows = emulate_warp(memory, 1, points[i], blocks - points[i]);
      const size_t row_size = size_t{blocks - points[i]} * kBlockColumns;
      for (size_t row = 16; row < matrix.rows; ++row) {
        const size_t column = size_t{points[i]} * kBlockColumns;
        ASSERT_TRUE(std::equal(matrix.weights.begin() + static_cast<ptrdiff_t>(row * matrix.columns + column),
                               matrix.weights.begin() + static_cast<ptrdiff_t>((row + 1) * matrix.columns),
                               rows.begin() + static_cast<ptrdiff_t>((row - 16) * row_size)));
      }
    }
  }
}

TEST(WeightPacking, PartsOfAMatrix) {
  const SampleMatrix matrix = layer_weights(100, 300, 0.2, 11);
  for (const PackOptions& options : all_options()) {
    const auto packed = pack_weights(matrix.bytes(), matrix.rows, matrix.columns, options);
    ASSERT_TRUE(packed.ok());
    const auto unpacker = WeightUnpacker::open(packed->bytes);
    ASSERT_TRUE(unpacker.ok());
    std::vector<uint8_t> part(unpacker->rows_size(36));
    ASSERT_TRUE(unpacker->unpack_rows(64, 36, part).ok());
    const Bytes expected = matrix.bytes().subspan(unpacker->rows_size(64));
    EXPECT_TRUE(std::ranges::equal(part, expected));
    EXPECT_EQ(unpacker->unpack_rows(60, 36, part).code(), Code::kInvalidArgument);
    EXPECT_EQ(unpacker->unpack_rows(32, 36, part).code(), Code::kInvalidArgument);
    EXPECT_EQ(unpacker->unpack_rows(80, 36, part).code(), Code::kInvalidArgument);
    EXPECT_EQ(unpacker->unpack_rows(~uint64_t{0}, 36, part).code(), Code::kInvalidArgument);
    EXPECT_EQ(unpacker->unpack(part).code(), Code::kInvalidArgument);
    EXPECT_TRUE(unpacker->unpack_rows(96, 0, {}).ok());
  }
}

TEST(WeightPacking, RefusesWhatItCannotPack) {
  const SampleMatrix matrix = layer_weights(4, 4, 0.2, 12);
  const auto code = [&](uint64_t rows, uint64_t columns, const PackOptions& options) {
    return pack_weights(matrix.bytes(), rows, columns, options).status().code();
  };
  EXPECT_EQ(code(4, 4, {}), Code::kOk);
  EXPECT_EQ(pack_weights({}, 0, 4, {}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(pack_weights({}, 4, 0, {}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(code(4, 5, {}), Code::kInvalidArgument);
  EXPECT_EQ(code(uint64_t{1} << 62, 4, {}), Code::kInvalidArgument);
  EXPECT_EQ(code(uint64_t{1} << 32, uint64_t{1} << 32, {}), Code::kInvalidArgument);
  EXPECT_EQ(pack_weights(matrix.bytes().first(31), 4, 4, {}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(code(4, 4, {static_cast<Layout>(3)}), Code::kInvalidArgument);
  EXPECT_EQ(code(4, 4, {Layout::kDense, 3}), Code::kInvalidArgument);
  EXPECT_EQ(code(4, 4, {Layout::kDense, 9}), Code::kInvalidArgument);
  EXPECT_EQ(code(4, 4, {Layout::kDense, 6, 32}), Code::kInvalidArgument);
  EXPECT_EQ(code(4, 4, {Layout::kDense, 6, 192}), Code::kInvalidArgument);
  EXPECT_EQ(code(4, 4, {Layout::kDense, 6, 32768}), Code::kInvalidArgument);
}

TEST(WeightPacking, SizeOfALayer) {
  const SampleMatrix matrix = layer_weights(1024, 4096, 0.25, 13);
  const WeightSurvey survey = survey_weights(matrix.bytes());
  for (const auto& [layout, most, name] :
       {std::tuple{Layout::kFast, 11.35, "fast"}, {Layout::kDense, 10.95, "dense"}, {Layout::kRaw, 16.01, "raw"}}) {
    const auto packed = pack_weights(matrix.bytes(), matrix.rows, matrix.columns, {layout});
    ASSERT_TRUE(packed.ok());
    EXPECT_LE(packed->report.bits_per_weight, most) << name;
    RecordProperty(name, std::to_string(packed->report.bits_per_weight));
    std::printf("%s: %.4f bits a weight, %.4f%% patches\n", name, packed->report.bits_per_weight,
                100.0 * static_cast<double>(packed->report.patches) / static_cast<double>(packed->report.weights));
  }
  std::printf("expected: fast %.4f, dense %.4f\n", expected_fast_bits(survey), expected_dense_bits(survey, 6));
  EXPECT_LT(expected_fast_bits(survey), 11.35);
  EXPECT_LT(expected_dense_bits(survey, 6), 10.85);
}

}  // namespace
}  // namespace glyd::weights::testing

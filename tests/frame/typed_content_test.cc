#include "codec/codec.h"
#include "tests/adversarial_inputs.h"
#include "tests/frame/coder_testing.h"

// Content in which there are numbers of known types, through the facade.
namespace glyd {
namespace {

using testing::at_level;
using testing::ByteVector;
using testing::compressed;

// A safetensors file of bf16 weights: `rows` of 4,096 weights.
ByteVector model_file(size_t rows) {
  const size_t size = rows * 8192;
  std::string header = R"({"w":{"dtype":"BF16","shape":[)" + std::to_string(rows) + R"(,4096],"data_offsets":[0,)" +
                       std::to_string(size) + "]}}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  ByteVector file;
  append_le(file, uint64_t{header.size()});
  file.insert(file.end(), header.begin(), header.end());
  testing::Random random(rows);
  for (size_t i = 0; i < size / 2; ++i) {
    // Exponents that halve in frequency, and noise below.
    const unsigned exponent = 120 - static_cast<unsigned>(std::countr_zero(random.next() | 1 << 20));
    append_le(file, static_cast<uint16_t>((random.next() & 0x807F) | exponent << 7));
  }
  return file;
}

size_t tensor_blocks(Bytes frame) {
  MemorySource source(frame);
  const Result<FileInfo> info = inspect(source, true);
  EXPECT_TRUE(info.ok());
  size_t count = 0;
  for (const FrameInfo& part : info->frames) {
    for (const BlockInfo& block : part.blocks) {
      const std::vector<uint32_t>& plan = part.plans[block.plan];
      if (!plan.empty() && std::string_view(transform_name(plan[0])) == "tensor") ++count;
    }
  }
  return count;
}

TEST(TypedContent, ModelFilesAreRecognised) {
  const ByteVector file = model_file(2500);  // 20 MB: a block of 8 MiB, the first, and six of 2 MiB
  for (const int level : {kLevelLz4, 3, 19}) {
    const ByteVector frame = compressed(file, at_level(level));
    EXPECT_EQ(*decompress(frame), file) << level;
    EXPECT_GE(tensor_blocks(frame), 1u) << level;
    // Two bits of exponent and eight of the rest.
    EXPECT_LT(frame.size() * 160, file.size() * 102) << level;
  }
}

TEST(TypedContent, NumbersComeInSmallBlocks) {
  const ByteVector frame = compressed(model_file(2500));
  MemorySource source(frame);
  const Result<FileInfo> info = inspect(source);
  ASSERT_TRUE(info.ok());
  const std::vector<BlockInfo>& blocks = info->frames[0].blocks;
  // The first shows what the file is, so it is as large as for any other file.
  EXPECT_EQ(blocks[0].content_size, 8u << 20);
  for (size_t i = 1; i + 1 < blocks.size(); ++i) EXPECT_EQ(blocks[i].content_size, 2u << 20);
}

TEST(TypedContent, BytesDoNotDependOnThreadsOrPieces) {
  const ByteVector file = model_file(2500);
  const ByteVector one = compressed(file, at_level(3, 1));
  EXPECT_EQ(compressed(file, at_level(3, 4)), one);
  Encoder encoder(at_level(3, 2));
  ByteVector streamed;
  ASSERT_TRUE(testing::run_in_pieces(encoder, file, 12345, streamed).ok());
  // Without a size that was announced, the header has none.
  EXPECT_NEAR(static_cast<double>(streamed.size()), static_cast<double>(one.size()), 16);
  EXPECT_EQ(*decompress(streamed), file);
}

TEST(TypedContent, RegionsCanBeGiven) {
  ByteVector numbers = model_file(300);
  numbers.erase(numbers.begin(), numbers.begin() + 80);
  EXPECT_EQ(tensor_blocks(compressed(numbers)), 0u);
  EncodeOptions options = at_level(3);
  options.regions = {{0, EncodeOptions::kUnknownSize, ElementType::kBf16}};
  const ByteVector frame = compressed(numbers, options);
  EXPECT_EQ(tensor_blocks(frame), 1u);
  EXPECT_LT(frame.size() * 160, numbers.size() * 102);
  EXPECT_EQ(*decompress(frame), numbers);
}

TEST(TypedContent, WrongRegionsCostSizeAndNothingElse) {
  const ByteVector text = testing::log_text(3 << 20, 1);
  for (const ElementTypeInfo& info : kElementTypes) {
    EncodeOptions options = at_level(3);
    options.regions = {
        {3, 100, info.type}, {1001, 1 << 20, info.type}, {2 << 20, EncodeOptions::kUnknownSize, info.type}};
    const ByteVector frame = compressed(text, options);
    EXPECT_EQ(*decompress(frame), text) << info.name;
    // Even so: text is repetitions, and those are found.
    EXPECT_LT(frame.size() * 10, compressed(text).size() * 11) << info.name;
  }
}

TEST(TypedContent, RangesCanBeRead) {
  const ByteVector file = model_file(2500);
  const ByteVector frame = compressed(file);
  MemorySource source(frame);
  Result<std::unique_ptr<RangeReader>> reader = RangeReader::open(source, {});
  ASSERT_TRUE(reader.ok());
  testing::Random random(1);
  for (int round = 0; round < 50; ++round) {
    const uint64_t offset = random.below(file.size());
    ByteVector part(std::min<uint64_t>(1 + random.below(10000), file.size() - offset));
    ASSERT_TRUE((*reader)->read(offset, part).ok());
    ASSERT_TRUE(std::equal(part.begin(), part.end(), file.begin() + static_cast<ptrdiff_t>(offset)));
  }
}

TEST(TypedContent, ScarceMemoryMeansFewerThreadsOrNoTypes) {
  const ByteVector file = model_file(2500);
  EncodeOptions options = at_level(3, 4);
  options.limits.memory = 100 << 20;
  const ByteVector untyped = compressed(file, options);
  EXPECT_EQ(tensor_blocks(untyped), 0u);
  options.limits.memory = 260 << 20;
  const ByteVector typed = compressed(file, options);
  EXPECT_GE(tensor_blocks(typed), 1u);
  options.threads = 1;
  EXPECT_EQ(compressed(file, options), typed);
}

}  // namespace
}  // namespace glyd

#include "tests/adversarial_inputs.h"
#include "tests/frame/coder_testing.h"

namespace glyd::testing {
namespace {

// Counts what is read, to show that the rest of a file is left alone.
class CountingSource : public MemorySource {
 public:
  using MemorySource::MemorySource;
  Status read_at(uint64_t offset, MutableBytes destination) override {
    bytes_read += destination.size();
    return MemorySource::read_at(offset, destination);
  }
  uint64_t bytes_read = 0;
};

TEST(RangeReader, ReadsEveryRangeOfSmallBlocks) {
  ByteVector content = random_bytes(700, 1);
  content.resize(1500);
  const ByteVector text = log_text(800, 1);
  content.insert(content.end(), text.begin(), text.end());
  ByteVector file = small_block_frame(content, 128);
  // An empty frame and one more, so that ranges cross frames too.
  for (const ByteVector& more : {ByteVector{}, log_text(300, 5)}) {
    const ByteVector frame = compressed(more);
    file.insert(file.end(), frame.begin(), frame.end());
    content.insert(content.end(), more.begin(), more.end());
  }
  MemorySource source{Bytes(file)};
  auto reader = RangeReader::open(source, {});
  ASSERT_TRUE(reader.ok()) << reader.status().text();
  for (size_t from = 0; from <= content.size(); from += 13) {
    for (const size_t size : {size_t{0}, size_t{1}, size_t{127}, size_t{128}, size_t{129}, content.size() - from}) {
      if (from + size > content.size()) continue;
      ByteVector part(size);
      const Status status = (*reader)->read(from, part);
      ASSERT_TRUE(status.ok()) << status.text();
      EXPECT_TRUE(std::equal(part.begin(), part.end(), content.begin() + static_cast<ptrdiff_t>(from)))
          << from << " " << size;
    }
  }
  ByteVector one(1);
  EXPECT_EQ((*reader)->read(content.size(), one).code(), Code::kRangeOutside);
  EXPECT_EQ((*reader)->read(~uint64_t{0}, one).code(), Code::kRangeOutside);
  EXPECT_TRUE((*reader)->window(content.size()).value().empty());
}

TEST(RangeReader, ReadsNoMoreThanTheBlocksItNeeds) {
  const ByteVector content = random_bytes(1 << 20, 4);
  const ByteVector file = small_block_frame(content, 4096);
  CountingSource source{Bytes(file)};
  auto reader = RangeReader::open(source, {});
  ASSERT_TRUE(reader.ok());
  source.bytes_read = 0;
  ByteVector part(100);
  ASSERT_TRUE((*reader)->read(500000, part).ok());
  EXPECT_LT(source.bytes_read, 3 * 4096u);
}

TEST(RangeReader, SaysWhichBlockIsDamagedAndReadsTheOthers) {
  const ByteVector content = random_bytes(10000, 4);
  ByteVector file = small_block_frame(content, 1000);
  MemorySource whole{Bytes(file)};
  const uint64_t damaged_block = inspect(whole)->frames.at(0).blocks.at(5).file_offset;
  file[damaged_block + 200] ^= 1;
  MemorySource source{Bytes(file)};
  auto reader = RangeReader::open(source, {});
  ASSERT_TRUE(reader.ok());
  ByteVector part(1000);
  const Status status = (*reader)->read(5500, part);
  EXPECT_EQ(status.code(), Code::kChecksumMismatch);
  EXPECT_EQ(status.offset(), damaged_block);
  ASSERT_TRUE((*reader)->read(6000, part).ok());
  EXPECT_TRUE(std::equal(part.begin(), part.end(), content.begin() + 6000));
}

TEST(RangeReader, EveryFlippedBitIsAnErrorOrHarmless) {
  ByteVector content = random_bytes(300, 2);
  content.resize(900);
  const ByteVector file = small_block_frame(content, 256);
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    ByteVector damaged = file;
    damaged[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    MemorySource source{Bytes(damaged)};
    auto reader = RangeReader::open(source, {});
    if (!reader.ok()) continue;
    ByteVector part(content.size());
    if ((*reader)->info().content_size == content.size() && (*reader)->read(0, part).ok()) {
      EXPECT_EQ(part, content) << bit;
    }
  }
}

}  // namespace
}  // namespace glyd::testing

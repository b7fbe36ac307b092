#include "codec/base/buffer.h"

#include <gtest/gtest.h>

#include <cstring>

// One test asks for more memory than there is, which the sanitizers would otherwise take for a mistake. They look for
// functions of these names.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options() {
  return "allocator_may_return_null=1";
}

namespace glyd {
namespace {

TEST(Buffer, GrowsAndKeepsWhatIsLargeEnough) {
  Buffer buffer;
  ASSERT_TRUE(buffer.reserve(10).ok());
  uint8_t* const first = buffer.data();
  ASSERT_TRUE(buffer.reserve(5).ok());
  EXPECT_EQ(buffer.data(), first);
  EXPECT_EQ(buffer.capacity(), 10u);
  for (const size_t size : {size_t{2} << 20, (size_t{2} << 20) + 1, size_t{9} << 20}) {
    ASSERT_TRUE(buffer.reserve(size).ok());
    EXPECT_EQ(buffer.capacity(), size);
    std::memset(buffer.data(), 1, size);
  }
  buffer.release();
  EXPECT_EQ(buffer.capacity(), 0u);
}

TEST(Buffer, SaysWhenTheMachineHasNotSoMuch) {
  Buffer buffer;
  ASSERT_TRUE(buffer.reserve(10).ok());
  // More than the address space, and so much that rounding it up would wrap.
  for (const size_t size : {size_t{1} << 60, ~size_t{0}}) {
    EXPECT_EQ(buffer.reserve(size).code(), Code::kOutOfMemory);
    EXPECT_EQ(buffer.capacity(), 0u);
  }
}

}  // namespace
}  // namespace glyd

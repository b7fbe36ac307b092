#include "codec/base/status.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string>

namespace glyd {
namespace {

TEST(Status, TextSaysWhatWhereAndWhy) {
  EXPECT_EQ(Status(Code::kCorrupt, "block kind", 12).text(), "the input is damaged at offset 12: block kind");
  EXPECT_EQ(Status(Code::kNotGlyd).text(), "not a glyd file");
  EXPECT_EQ(Status::from_errno(ENOSPC, "write").text(), "reading or writing failed: write: No space left on device");
}

TEST(Status, AtKeepsTheInnermostOffset) {
  EXPECT_EQ(Status(Code::kCorrupt).at(7).offset(), 7u);
  EXPECT_EQ(Status(Code::kCorrupt, nullptr, 3).at(7).offset(), 3u);
}

TEST(Status, CodesAreDistinctAndInTheirHundreds) {
  std::set<int> numbers;
#define GLYD_CHECK(name, number, text)                                  \
  EXPECT_TRUE(numbers.insert(number).second) << #name;                  \
  EXPECT_TRUE(number == 0 || (number >= 100 && number < 400)) << #name; \
  EXPECT_STREQ(code_text(Code::k##name), text);
  GLYD_ERROR_LIST(GLYD_CHECK)
#undef GLYD_CHECK
  EXPECT_STREQ(code_text(static_cast<Code>(12345)), "unknown error");
}

TEST(Result, HoldsAValueOrTheReasonForNone) {
  const Result<std::string> value = std::string("x");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, "x");
  const Result<std::string> none = Status(Code::kTruncated);
  EXPECT_FALSE(none.ok());
  EXPECT_EQ(none.status().code(), Code::kTruncated);
}

}  // namespace
}  // namespace glyd

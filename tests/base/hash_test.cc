#include "codec/base/hash.h"

#include <gtest/gtest.h>

#include <string_view>

namespace glyd {
namespace {

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Values of xxhsum 0.8.1 -H1 and -H2 for the empty input and for "glyd\n".
TEST(Hash, MatchesXxhsum) {
  EXPECT_EQ(xxh64({}), 0xEF46DB3751D8E999u);
  EXPECT_EQ(xxh64(bytes_of("glyd\n")), 0x50C7094A1B2EEC2Cu);
  ContentHasher hasher;
  EXPECT_EQ(hasher.digest(), (Hash128{0x6001C324468D497Fu, 0x99AA06D3014798D8u}));
  hasher.update(bytes_of("glyd\n"));
  EXPECT_EQ(hasher.digest(), (Hash128{0x49B33B4501E9969Du, 0x8D62FE32C30F4AC5u}));
}

TEST(ContentHasher, DoesNotDependOnHowTheContentIsCut) {
  std::vector<uint8_t> bytes(5000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * i);
  ContentHasher whole;
  whole.update(bytes);
  ContentHasher pieces;
  pieces.update(bytes_of("dropped by reset"));
  pieces.reset();
  for (size_t at = 0, size = 1; at < bytes.size(); at += size, size = std::min(size * 2, bytes.size() - at)) {
    pieces.update(Bytes(bytes).subspan(at, size));
  }
  EXPECT_EQ(whole.digest(), pieces.digest());
}

}  // namespace
}  // namespace glyd

#include "codec/model/pickle_reader.h"

#include <gtest/gtest.h>

#include "tests/model/model_file_builders.h"

namespace glyd {
namespace {

using Id = PickleValues::Id;

// A value in short: 7, 'text', module:name, [a, b], {k: v}, callable(a, b), <name> for persistent values, ? for others.
std::string show(const PickleValues& values, Id id, int depth = 0) {
  if (depth > 20) return "...";
  const auto list = [&](const std::vector<Id>& elements, bool items) {
    std::string text;
    for (size_t i = 0; i < elements.size(); ++i) {
      text += (i == 0 ? "" : items && i % 2 == 1 ? ": " : ", ") + show(values, elements[i], depth + 1);
    }
    return text;
  };
  std::string text;
  switch (values.kind(id)) {
    case PickleKind::kInteger:
      return std::to_string(*values.integer(id));
    case PickleKind::kText:
      return "'" + std::string(values.text(id)) + "'";
    case PickleKind::kGlobal:
      return ":" + std::string(values.global_name(id));
    case PickleKind::kPersistent:
      return "<" + show(values, values.persistent_name(id), depth + 1) + ">";
    case PickleKind::kSequence:
      text = "[" + list(values.elements(id), false) + "]";
      break;
    case PickleKind::kDictionary:
      text = "{" + list(values.elements(id), true) + "}";
      break;
    case PickleKind::kObject:
      text = show(values, values.callable(id), depth + 1) + show(values, values.arguments(id), depth + 1) + "{" +
             list(values.elements(id), values.has_items(id)) + "}";
      break;
    default:
      return "?";
  }
  return values.state(id) == 0 ? text : text + "=" + show(values, values.state(id), depth + 1);
}

std::string read(std::string_view pickle) {
  const testing::FileBytes bytes = testing::text_bytes(pickle);
  const PickleValues values = read_pickle(bytes);
  return show(values, values.root());
}

using namespace std::string_view_literals;

TEST(PickleReader, Scalars) {
  EXPECT_EQ(read("(K\x07M\x01\x02J\xfe\xff\xff\xff\x88\x89NG12345678t."sv), "[7, 513, -2, 1, 0, ?, ?]");
  EXPECT_EQ(read("(\x8a\x00\x8a\x01\xff\x8a\x02\xff\x00\x8b\x03\x00\x00\x00\x01\x00\x01t."sv), "[0, -1, 255, 65537]");
  EXPECT_EQ(read("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80."sv), "-9223372036854775808");
  EXPECT_EQ(read("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01."sv), "?");
  EXPECT_EQ(read("(I12\nL-3L\nF1.5\nIx\nt."sv), "[12, -3, ?, ?]");
}

TEST(PickleReader, Text) {
  EXPECT_EQ(read("(U\x01"
                 "aX\x02\x00\x00\x00"
                 "bcC\x00\x8c\x01"
                 "d\x8d\x01\x00\x00\x00\x00\x00\x00\x00"
                 "et."sv),
            "['a', 'bc', '', 'd', 'e']");
  EXPECT_EQ(read("(S'quoted'\nVplain\nt."sv), "['quoted', 'plain']");
}

TEST(PickleReader, Containers) {
  EXPECT_EQ(read("]K\x01"
                 "a(K\x02K\x03"
                 "eK\x04"
                 "a."sv),
            "[1, 2, 3, 4]");
  EXPECT_EQ(read("}K\x01K\x02s(K\x03K\x04K\x05K\x06u."sv), "{1: 2, 3: 4, 5: 6}");
  EXPECT_EQ(read("(K\x01K\x02"
                 "d."sv),
            "{1: 2}");
  EXPECT_EQ(read("K\x01\x85K\x02K\x03\x86K\x04\x87."sv), "[[1], [2, 3], 4]");
  EXPECT_EQ(read("K\x01K\x02\x87."sv), "?");  // a tuple of three needs three
  EXPECT_EQ(read("K\x01\x85K\x02K\x03\x86\x86."sv), "[[1], [2, 3]]");
  EXPECT_EQ(read("\x8f(K\x01\x90(K\x02\x91\x86."sv), "[[1], [2]]");
  EXPECT_EQ(read("(K\x01K\x02K\x03"
                 "d."sv),
            "?");  // a key without a value
}

TEST(PickleReader, ObjectsAndGlobals) {
  EXPECT_EQ(read("cmodule\nname\nK\x01\x85R}K\x02K\x03sb."sv), ":name[1]{}={2: 3}");
  EXPECT_EQ(read("\x8c\x01m\x8c\x01n\x93)\x81K\x01K\x02s."sv), ":n[]{1: 2}");
  EXPECT_EQ(read("cm\nn\n)}\x92K\x01"
                 "a."sv),
            ":n[]{1}");
  EXPECT_EQ(read("(K\x01im\nn\n."sv), ":n[1]{}");
  EXPECT_EQ(read("(cm\nn\nK\x01o."sv), ":n[1]{}");
  EXPECT_EQ(read("K\x01\x85Q."sv), "<[1]>");
  EXPECT_EQ(read("Pname\n."sv), "<'name'>");
}

TEST(PickleReader, MemoAndMachine) {
  EXPECT_EQ(read("\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00K\x05\x94K\x06\x94h\x00h\x01\x86."sv), "[5, 6]");
  EXPECT_EQ(read("K\x05q\x09K\x06r\x10\x00\x00\x00j\x10\x00\x00\x00h\x09\x86."sv), "[6, 5]");
  EXPECT_EQ(read("K\x05p3\nK\x06g3\n\x86."sv), "[6, 5]");
  EXPECT_EQ(read("K\x01K\x02"
                 "02\x86."sv),
            "[1, 1]");
  EXPECT_EQ(read("K\x01(K\x02K\x03"
                 "1."sv),
            "1");
  EXPECT_EQ(read("K\x01(0."sv), "1");
}

TEST(PickleReader, DamageGivesNoRoot) {
  for (const std::string_view pickle : {""sv,
                                        "."sv,
                                        "K\x01"sv,
                                        "h\x00."sv,
                                        "t."sv,
                                        "R."sv,
                                        "a."sv,
                                        "(K\x01"
                                        "a."sv,
                                        "X\xff\xff\xff\xff"
                                        "a."sv,
                                        "\x8d\xff\xff\xff\xff\xff\xff\xff\xff."sv,
                                        "cmodule"sv,
                                        "cmodule\nname"sv,
                                        "\x8b\xff\xff\xff\xff."sv,
                                        "K\x01r\xff\xff\xff\xff."sv,
                                        "K\x01(\x85."sv,
                                        "s."sv,
                                        "K\x01K\x02s."sv,
                                        "u."sv,
                                        "\xff."sv,
                                        "Q."sv,
                                        "b."sv,
                                        "gx\n."sv,
                                        "(o."sv,
                                        "\x93."sv,
                                        "0."sv,
                                        "1."sv,
                                        "2."sv}) {
    EXPECT_EQ(read(pickle), "?") << pickle;
  }
}

TEST(PickleReader, ALimitOfValues) {
  std::string pickle = "(";
  for (uint32_t i = 0; i < kMaxPickleValues + 10; ++i) pickle += ")";
  const testing::FileBytes bytes = testing::text_bytes(pickle + "t.");
  const PickleValues values = read_pickle(bytes);
  EXPECT_EQ(values.root(), 0u);
  EXPECT_LE(values.count(), kMaxPickleValues);
}

}  // namespace
}  // namespace glyd

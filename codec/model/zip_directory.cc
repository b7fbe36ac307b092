#include "codec/model/zip_directory.h"

#include <array>
#include <string_view>
#include <unordered_set>

#include "codec/model/model_map.h"

namespace glyd {
namespace {

constexpr uint32_t kEndSignature = 0x06054B50;
constexpr uint32_t kEnd64LocatorSignature = 0x07064B50;
constexpr uint32_t kEnd64Signature = 0x06064B50;
constexpr uint32_t kEntrySignature = 0x02014B50;
constexpr uint32_t kLocalSignature = 0x04034B50;

constexpr uint64_t kEndSize = 22;
constexpr uint64_t kEnd64LocatorSize = 20;
constexpr uint64_t kEnd64Size = 56;
constexpr uint64_t kEntrySize = 46;
constexpr uint64_t kLocalSize = 30;
constexpr uint64_t kMaxCommentSize = 65535;

// Values that stand for "see the zip64 record".
constexpr uint32_t kIn64 = 0xFFFFFFFF;
constexpr uint16_t kEncrypted = 1;
constexpr uint16_t kZip64Extra = 1;

struct Directory {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t entries = 0;
};

// What a directory of an archive of more than 4 GiB or 65535 members says.
std::optional<Directory> read_end64(HeaderSource& file, uint64_t end_offset) {
  std::array<uint8_t, kEnd64LocatorSize> locator{};
  if (end_offset < locator.size() || !file.read(end_offset - locator.size(), locator)) return std::nullopt;
  if (load_le<uint32_t>(&locator[0]) != kEnd64LocatorSignature) return std::nullopt;
  std::array<uint8_t, kEnd64Size> record{};
  if (!file.read(load_le<uint64_t>(&locator[8]), record)) return std::nullopt;
  if (load_le<uint32_t>(&record[0]) != kEnd64Signature) return std::nullopt;
  return Directory{load_le<uint64_t>(&record[48]), load_le<uint64_t>(&record[40]), load_le<uint64_t>(&record[32])};
}

// The last end record whose comment reaches to the end of the file.
std::optional<Directory> find_directory(HeaderSource& file) {
  const uint64_t size = file.size();
  const uint64_t tail_size = std::min(size, kEndSize + kMaxCommentSize);
  if (tail_size < kEndSize) return std::nullopt;
  std::vector<uint8_t> tail(static_cast<size_t>(tail_size));
  if (!file.read(size - tail_size, tail)) return std::nullopt;
  for (uint64_t at = tail_size - kEndSize + 1; at-- > 0;) {
    const uint8_t* const end = tail.data() + at;
    if (load_le<uint32_t>(end) != kEndSignature || load_le<uint16_t>(end + 20) != tail_size - at - kEndSize) continue;
    if (const std::optional<Directory> directory = read_end64(file, size - tail_size + at)) return directory;
    return Directory{load_le<uint32_t>(end + 16), load_le<uint32_t>(end + 12), load_le<uint16_t>(end + 10)};
  }
  return std::nullopt;
}

struct Entry {
  uint64_t size = 0;
  uint64_t packed_size = 0;
  uint64_t header_offset = 0;
};

// Takes from the zip64 field those values that have no room in the entry itself.
void read_zip64_extra(Bytes extra, Entry& entry) {
  ByteReader reader(extra);
  while (reader.ok() && reader.remaining() >= 4) {
    const uint16_t id = reader.read_le<uint16_t>();
    ByteReader field(reader.read(reader.read_le<uint16_t>()));
    if (id != kZip64Extra) continue;
    for (uint64_t* value : {&entry.size, &entry.packed_size, &entry.header_offset}) {
      if (*value == kIn64 && field.remaining() >= 8) *value = field.read_le<uint64_t>();
    }
    return;
  }
}

// The next entry, when it is a stored member. The cursor fails when it makes no sense.
std::optional<ZipMember> read_entry(HeaderCursor& cursor) {
  std::array<uint8_t, kEntrySize> head{};
  const Bytes raw = cursor.read(head.size());
  if (!cursor.ok() || load_le<uint32_t>(raw.data()) != kEntrySignature) {
    cursor.fail();
    return std::nullopt;
  }
  std::copy(raw.begin(), raw.end(), head.begin());
  const uint16_t flags = load_le<uint16_t>(&head[8]);
  const uint16_t method = load_le<uint16_t>(&head[10]);
  Entry entry{load_le<uint32_t>(&head[24]), load_le<uint32_t>(&head[20]), load_le<uint32_t>(&head[42])};
  ZipMember member;
  const Bytes name = cursor.read(load_le<uint16_t>(&head[28]));
  member.name.assign(name.begin(), name.end());
  read_zip64_extra(cursor.read(load_le<uint16_t>(&head[30])), entry);
  cursor.skip(load_le<uint16_t>(&head[32]));
  member.size = entry.size;
  member.header_offset = entry.header_offset;
  const bool stored = method == 0 && (flags & kEncrypted) == 0 && entry.size == entry.packed_size;
  return stored ? std::optional(std::move(member)) : std::nullopt;
}

}  // namespace

std::optional<std::vector<ZipMember>> read_zip_directory(HeaderSource& file) {
  if (file.size() == kUnknownSize || file.present() != file.size()) return std::nullopt;
  const std::optional<Directory> directory = find_directory(file);
  if (!directory || !file.contains(directory->offset, directory->size)) return std::nullopt;
  if (directory->entries > kMaxTensors || directory->entries > directory->size / kEntrySize) return std::nullopt;
  HeaderCursor cursor(file, directory->offset, directory->offset + directory->size);
  std::vector<ZipMember> members;
  std::unordered_set<std::string> names;
  for (uint64_t i = 0; i < directory->entries; ++i) {
    std::optional<ZipMember> member = read_entry(cursor);
    if (!cursor.ok()) return std::nullopt;
    if (member && names.insert(member->name).second) members.push_back(std::move(*member));
  }
  return members;
}

std::optional<uint64_t> find_member_data(HeaderSource& file, const ZipMember& member) {
  std::array<uint8_t, kLocalSize> head{};
  if (!file.read(member.header_offset, head) || load_le<uint32_t>(&head[0]) != kLocalSignature) return std::nullopt;
  const uint64_t names = uint64_t{load_le<uint16_t>(&head[26])} + load_le<uint16_t>(&head[28]);
  const uint64_t begin = member.header_offset + kLocalSize + names;
  return file.contains(begin, member.size) ? std::optional(begin) : std::nullopt;
}

}  // namespace glyd

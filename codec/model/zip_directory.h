#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/model/header_source.h"

namespace glyd {

// A file in a zip archive that lies there as it is, without compression.
struct ZipMember {
  std::string name;
  uint64_t header_offset = 0;  // of its own header in the archive
  uint64_t size = 0;           // bytes
};

// The stored members of a zip archive, zip64 or not, in the order of its directory, which is at the end of the
// archive. Compressed and encrypted members are left out, and of several of one name all but the first. Nothing when
// there is no such directory, or when not all of the file is there.
std::optional<std::vector<ZipMember>> read_zip_directory(HeaderSource& file);

// Where the bytes of `member` begin. Nothing when its own header does not say so, or they do not lie in the file.
std::optional<uint64_t> find_member_data(HeaderSource& file, const ZipMember& member);

}  // namespace glyd

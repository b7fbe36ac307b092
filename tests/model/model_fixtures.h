#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/model/model_map.h"
#include "tests/model/model_file_builders.h"

namespace glyd::testing {

// The map of a whole file; fails the test when reading it gives an error.
std::optional<ModelMap> map_of(const FileBytes& file);
// Of the first `present` bytes of it, with its size known or not.
std::optional<ModelMap> map_of_beginning(const FileBytes& file, size_t present, uint64_t file_size);

// "name dtype type [shape] offset+size", a line for each tensor; `type` as in kElementTypes.
std::string listing(const ModelMap& map);
// "type offset+size", a line for each region.
std::string region_listing(const ModelMap& map);

struct NamedFile {
  std::string name;
  FileBytes bytes;
};
// One small file of each format.
std::vector<NamedFile> small_model_files();

// What holds for the map of any file, damaged or not: tensors in order, their names once, all within the file, regions
// in order without overlap and within the tensors' bytes. Empty when all of it does.
std::string broken_rule(const ModelMap& map, uint64_t file_size);

}  // namespace glyd::testing

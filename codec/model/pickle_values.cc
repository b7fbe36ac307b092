#include "codec/model/pickle_values.h"

namespace glyd {

using Id = PickleValues::Id;

std::string_view PickleValues::text(Id id) const {
  const Node& node = nodes_[id];
  if (node.kind != PickleKind::kText) return {};
  return {reinterpret_cast<const char*>(pickle_.data()) + node.number, node.first_operand};
}

std::optional<int64_t> PickleValues::integer(Id id) const {
  return kind(id) == PickleKind::kInteger ? std::optional(nodes_[id].number) : std::nullopt;
}

std::string_view PickleValues::global_name(Id id) const {
  return kind(id) == PickleKind::kGlobal ? text(nodes_[id].second_operand) : std::string_view();
}

bool PickleValues::is_global(Id id, std::string_view module, std::string_view name) const {
  return kind(id) == PickleKind::kGlobal && text(nodes_[id].first_operand) == module && global_name(id) == name;
}

std::vector<Id> PickleValues::elements(Id id, size_t most) const {
  std::vector<Id> result;
  for (Id at = nodes_[id].first_segment; at != 0 && result.size() < most; at = nodes_[at].first_segment) {
    const auto begin = children_.begin() + nodes_[at].first_operand;
    const size_t taken = std::min<size_t>(nodes_[at].second_operand, most - result.size());
    result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(taken));
  }
  return result;
}

Id PickleValues::element(Id id, size_t index) const {
  for (Id at = nodes_[id].first_segment; at != 0; at = nodes_[at].first_segment) {
    if (index < nodes_[at].second_operand) return children_[nodes_[at].first_operand + index];
    index -= nodes_[at].second_operand;
  }
  return 0;
}

}  // namespace glyd

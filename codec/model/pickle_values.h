#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/base/bytes.h"

// What a Python pickle says, as data. Private to codec/model.
namespace glyd {

enum class PickleKind : uint8_t {
  kOther,       // None, floats, and whatever else nobody here asks for
  kInteger,     // of up to 64 bits; True and False are 1 and 0
  kText,        // text or bytes
  kGlobal,      // a class or function, by module and name
  kPersistent,  // something outside of the pickle, named by a value
  kSequence,    // tuple, list or set
  kDictionary,
  kObject,   // what a call gives; may have elements or items, and a state, set later
  kSegment,  // a piece of another value
};

// All values of one pickle. Values are named by numbers; value 0 is kOther. They may contain one another in circles.
// The text of values lies in the pickle, which must outlive this.
class PickleValues {
 public:
  using Id = uint32_t;

  size_t count() const { return nodes_.size(); }
  // The value that the pickle stands for; kOther when the pickle is damaged or beyond a limit. The other values are
  // those met before that place.
  Id root() const { return root_; }

  PickleKind kind(Id id) const { return nodes_[id].kind; }
  // Empty for a value that is no text.
  std::string_view text(Id id) const;
  std::optional<int64_t> integer(Id id) const;
  bool is_global(Id id, std::string_view module, std::string_view name) const;
  // The name without the module; empty for a value that is no global.
  std::string_view global_name(Id id) const;
  // What names a kPersistent value.
  Id persistent_name(Id id) const { return nodes_[id].first_operand; }
  // Of a kObject: what was called, and the sequence of its arguments.
  Id callable(Id id) const { return nodes_[id].first_operand; }
  Id arguments(Id id) const { return nodes_[id].second_operand; }
  // Of a sequence, dictionary or object: what was set on it as its state; 0 when nothing was.
  Id state(Id id) const { return nodes_[id].state; }

  // The elements of a sequence, `most` of them when there are more. For a dictionary, and for an object that has_items(),
  // keys and values in turn.
  std::vector<Id> elements(Id id, size_t most = ~size_t{0}) const;
  bool has_items(Id id) const { return nodes_[id].has_items; }
  // The element at `index`; 0 when there are not so many. For short sequences.
  Id element(Id id, size_t index) const;

 private:
  friend class PickleReader;

  // The elements of a container come in pieces as the pickle adds them: a list of segments.
  struct Node {
    PickleKind kind = PickleKind::kOther;
    bool has_items = false;
    Id first_operand = 0;   // of a segment: where in children_ it begins; of text: its length
    Id second_operand = 0;  // of a segment: how many there are
    Id first_segment = 0;   // of a segment: the next one
    Id last_segment = 0;
    Id state = 0;
    int64_t number = 0;  // of an integer: its value; of text: where it begins in the pickle
  };

  explicit PickleValues(Bytes pickle) : pickle_(pickle), nodes_(1) {}

  Bytes pickle_;
  std::vector<Node> nodes_;
  std::vector<Id> children_;
  Id root_ = 0;
};

}  // namespace glyd

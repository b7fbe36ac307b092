#include "codec/model/pickle_reader.h"

#include <charconv>
#include <cstring>

namespace glyd {

using Id = PickleValues::Id;

// The machine that pickles are written for, less everything that would run code. Each family of opcodes has a function
// that returns false for an opcode of another family.
class PickleReader {
 public:
  explicit PickleReader(Bytes pickle) : input_(pickle), pickle_(pickle), values_(pickle) {}

  PickleValues read() {
    while (!failed_ && !stopped_) {
      const uint8_t opcode = input_.read_le<uint8_t>();
      const bool known = input_.ok() && (scalar(opcode) || counted_text(opcode) || line(opcode) || container(opcode) ||
                                         object(opcode) || memo(opcode) || machine(opcode));
      failed_ = failed_ || !known || !input_.ok();
    }
    if (!failed_) values_.root_ = stack_.back();
    return std::move(values_);
  }

 private:
  using Node = PickleValues::Node;
  static constexpr Id kUnset = ~Id{0};

  Id add(const Node& node) {
    if (values_.nodes_.size() >= kMaxPickleValues) {
      failed_ = true;
      return 0;
    }
    values_.nodes_.push_back(node);
    return static_cast<Id>(values_.nodes_.size() - 1);
  }
  void push(Id id) {
    failed_ = failed_ || stack_.size() >= kMaxPickleValues;
    if (!failed_) stack_.push_back(id);
  }
  void push_integer(int64_t value) { push(add({.kind = PickleKind::kInteger, .number = value})); }

  // Values below the last mark cannot be taken.
  size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  Id pop() {
    if (stack_.size() <= floor()) {
      failed_ = true;
      return 0;
    }
    const Id id = stack_.back();
    stack_.pop_back();
    return id;
  }
  Id top() {
    failed_ = failed_ || stack_.size() <= floor();
    return failed_ ? 0 : stack_.back();
  }
  // Takes the last mark away and returns where the values above it begin.
  size_t pop_mark() {
    if (marks_.empty()) {
      failed_ = true;
      return stack_.size();
    }
    const size_t begin = marks_.back();
    marks_.pop_back();
    return begin;
  }

  // Moves the values of the stack from `begin` on into `container`.
  void move_elements(Id container, size_t begin, bool as_items) {
    Node& target = values_.nodes_[container];
    const size_t count = stack_.size() - begin;
    const bool fits = values_.children_.size() + count <= kMaxPickleValues && (!as_items || count % 2 == 0);
    const bool is_container = target.kind == PickleKind::kSequence || target.kind == PickleKind::kDictionary ||
                              target.kind == PickleKind::kObject;
    // An object that is filled both ways keeps what came first.
    const bool mixed = target.first_segment != 0 && target.has_items != as_items;
    failed_ = failed_ || !fits;
    if (!failed_ && count > 0 && is_container && !mixed) {
      target.has_items = as_items;
      add_segment(container, begin);
    }
    stack_.resize(begin);
  }

  void add_segment(Id container, size_t begin) {
    std::vector<Id>& children = values_.children_;
    const Id segment = add({.kind = PickleKind::kSegment,
                            .first_operand = static_cast<Id>(children.size()),
                            .second_operand = static_cast<Id>(stack_.size() - begin)});
    if (failed_) return;
    children.insert(children.end(), stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
    Node& target = values_.nodes_[container];
    if (target.first_segment == 0) {
      target.first_segment = segment;
    } else {
      values_.nodes_[target.last_segment].first_segment = segment;
    }
    target.last_segment = segment;
  }

  void push_container(PickleKind kind, size_t begin) {
    failed_ = failed_ || begin < floor() || begin > stack_.size();
    const Id id = add({.kind = kind, .has_items = kind == PickleKind::kDictionary});
    if (failed_) return;
    move_elements(id, begin, kind == PickleKind::kDictionary);
    push(id);
  }
  size_t below_top(size_t count) {
    failed_ = failed_ || stack_.size() < floor() + count;
    return failed_ ? stack_.size() : stack_.size() - count;
  }

  void push_text(Bytes text) {
    if (!input_.ok() || text.size() > ~Id{0}) {
      failed_ = true;
      return;
    }
    push(add_text(text));
  }
  Id add_text(Bytes text) {
    return add({.kind = PickleKind::kText,
                .first_operand = static_cast<Id>(text.size()),
                .number = text.empty() ? 0 : text.data() - pickle_.data()});
  }
  // Up to the next newline, without it.
  Bytes read_line() {
    const Bytes rest = pickle_.subspan(input_.position());
    const void* const end = rest.empty() ? nullptr : std::memchr(rest.data(), '\n', rest.size());
    if (end == nullptr) {
      failed_ = true;
      return {};
    }
    const Bytes text = input_.read(static_cast<size_t>(static_cast<const uint8_t*>(end) - rest.data()));
    input_.read(1);
    return text;
  }

  // Little-endian, in two's complement; longer ones than 64 bits are of no interest.
  void push_long(uint64_t size) {
    const Bytes raw = size <= input_.remaining() ? input_.read(static_cast<size_t>(size)) : Bytes();
    if (raw.size() != size) {
      failed_ = true;
    } else if (size > 8) {
      push(0);
    } else {
      uint64_t value = size > 0 && raw.back() >= 0x80 ? ~uint64_t{0} : 0;
      for (size_t i = raw.size(); i-- > 0;) value = value << 8 | raw[i];
      push_integer(static_cast<int64_t>(value));
    }
  }

  void push_object(Id callable, Id arguments) {
    push(add({.kind = PickleKind::kObject, .first_operand = callable, .second_operand = arguments}));
  }

  bool scalar(uint8_t opcode);
  bool counted_text(uint8_t opcode);
  bool line(uint8_t opcode);
  bool container(uint8_t opcode);
  bool object(uint8_t opcode);
  bool memo(uint8_t opcode);
  bool machine(uint8_t opcode);
  void put(uint64_t index);
  void get(uint64_t index);

  ByteReader input_;
  Bytes pickle_;
  PickleValues values_;
  std::vector<Id> stack_;
  std::vector<size_t> marks_;
  std::vector<Id> memo_;
  uint64_t memo_count_ = 0;
  bool failed_ = false;
  bool stopped_ = false;
};

bool PickleReader::scalar(uint8_t opcode) {
  switch (opcode) {
    case 'N':  // NONE
      push(0);
      return true;
    case 0x88:  // NEWTRUE
    case 0x89:  // NEWFALSE
      push_integer(opcode == 0x88 ? 1 : 0);
      return true;
    case 'K':  // BININT1
      push_integer(input_.read_le<uint8_t>());
      return true;
    case 'M':  // BININT2
      push_integer(input_.read_le<uint16_t>());
      return true;
    case 'J':  // BININT
      push_integer(input_.read_le<int32_t>());
      return true;
    case 0x8A:  // LONG1
      push_long(input_.read_le<uint8_t>());
      return true;
    case 0x8B:  // LONG4
      push_long(input_.read_le<uint32_t>());
      return true;
    case 'G':  // BINFLOAT
      input_.read(8);
      push(0);
      return true;
    case 0x82:  // EXT1
    case 0x83:  // EXT2
    case 0x84:  // EXT4
      input_.read(size_t{1} << (opcode - 0x82));
      push(0);
      return true;
    case 0x97:  // NEXT_BUFFER
      push(0);
      return true;
    default:
      return false;
  }
}

bool PickleReader::counted_text(uint8_t opcode) {
  uint64_t size = 0;
  switch (opcode) {
    case 'U':   // SHORT_BINSTRING
    case 'C':   // SHORT_BINBYTES
    case 0x8C:  // SHORT_BINUNICODE
      size = input_.read_le<uint8_t>();
      break;
    case 'T':  // BINSTRING
    case 'B':  // BINBYTES
    case 'X':  // BINUNICODE
      size = input_.read_le<uint32_t>();
      break;
    case 0x8D:  // BINUNICODE8
    case 0x8E:  // BINBYTES8
    case 0x96:  // BYTEARRAY8
      size = input_.read_le<uint64_t>();
      break;
    default:
      return false;
  }
  if (size > input_.remaining()) {
    failed_ = true;
  } else {
    push_text(input_.read(static_cast<size_t>(size)));
  }
  return true;
}

// Opcodes of the protocols of old, whose operands are lines of text.
bool PickleReader::line(uint8_t opcode) {
  switch (opcode) {
    case 'F':  // FLOAT
      read_line();
      push(0);
      return true;
    case 'I':    // INT
    case 'L': {  // LONG
      const Bytes digits = read_line();
      const char* const begin = reinterpret_cast<const char*>(digits.data());
      int64_t value = 0;
      const bool is_number = std::from_chars(begin, begin + digits.size(), value).ec == std::errc();
      if (is_number) {
        push_integer(value);
      } else {
        push(0);
      }
      return true;
    }
    case 'S':  // STRING: quoted
    case 'V':  // UNICODE
    {
      Bytes text = read_line();
      if (opcode == 'S' && text.size() >= 2) text = text.subspan(1, text.size() - 2);
      push_text(text);
      return true;
    }
    case 'P': {  // PERSID
      const Id name = add_text(read_line());
      push(add({.kind = PickleKind::kPersistent, .first_operand = name}));
      return true;
    }
    default:
      return false;
  }
}

bool PickleReader::container(uint8_t opcode) {
  switch (opcode) {
    case '}':  // EMPTY_DICT
      push_container(PickleKind::kDictionary, stack_.size());
      return true;
    case ']':   // EMPTY_LIST
    case ')':   // EMPTY_TUPLE
    case 0x8F:  // EMPTY_SET
      push_container(PickleKind::kSequence, stack_.size());
      return true;
    case 0x85:  // TUPLE1
    case 0x86:  // TUPLE2
    case 0x87:  // TUPLE3
      push_container(PickleKind::kSequence, below_top(opcode - 0x84u));
      return true;
    case 't':   // TUPLE
    case 'l':   // LIST
    case 0x91:  // FROZENSET
      push_container(PickleKind::kSequence, pop_mark());
      return true;
    case 'd':  // DICT
      push_container(PickleKind::kDictionary, pop_mark());
      return true;
    case 'a':  // APPEND
    case 's':  // SETITEM
    {
      const size_t begin = below_top(opcode == 'a' ? 1 : 2);
      if (failed_ || begin <= floor()) {
        failed_ = true;
      } else {
        move_elements(stack_[begin - 1], begin, opcode == 's');
      }
      return true;
    }
    case 'e':   // APPENDS
    case 0x90:  // ADDITEMS
    case 'u':   // SETITEMS
    {
      const size_t begin = pop_mark();
      if (failed_ || begin <= floor()) {
        failed_ = true;
      } else {
        move_elements(stack_[begin - 1], begin, opcode == 'u');
      }
      return true;
    }
    default:
      return false;
  }
}

bool PickleReader::object(uint8_t opcode) {
  switch (opcode) {
    case 'c':    // GLOBAL
    case 'i': {  // INST
      const Id module = add_text(read_line());
      const Id name = add_text(read_line());
      const Id global = add({.kind = PickleKind::kGlobal, .first_operand = module, .second_operand = name});
      if (opcode == 'c') {
        push(global);
      } else {
        push_container(PickleKind::kSequence, pop_mark());
        push_object(global, pop());
      }
      return true;
    }
    case 0x93: {  // STACK_GLOBAL
      const Id name = pop();
      const Id module = pop();
      push(add({.kind = PickleKind::kGlobal, .first_operand = module, .second_operand = name}));
      return true;
    }
    case 'Q':  // BINPERSID
      push(add({.kind = PickleKind::kPersistent, .first_operand = pop()}));
      return true;
    case 'R':     // REDUCE
    case 0x81:    // NEWOBJ
    case 0x92: {  // NEWOBJ_EX
      if (opcode == 0x92) pop();
      const Id arguments = pop();
      push_object(pop(), arguments);
      return true;
    }
    case 'o': {  // OBJ: the class is the first value behind the mark
      const size_t begin = pop_mark();
      push_container(PickleKind::kSequence, failed_ ? begin : begin + 1);
      const Id arguments = pop();
      push_object(pop(), arguments);
      return true;
    }
    case 'b': {  // BUILD
      const Id state = pop();
      if (const Id target = top(); target != 0) values_.nodes_[target].state = state;
      return true;
    }
    default:
      return false;
  }
}

void PickleReader::put(uint64_t index) {
  const Id value = top();
  failed_ = failed_ || index >= kMaxPickleValues;
  if (failed_) return;
  if (memo_.size() <= index) memo_.resize(static_cast<size_t>(index) + 1, kUnset);
  memo_count_ += memo_[static_cast<size_t>(index)] == kUnset ? 1 : 0;
  memo_[static_cast<size_t>(index)] = value;
}

void PickleReader::get(uint64_t index) {
  failed_ = failed_ || index >= memo_.size() || memo_[static_cast<size_t>(index)] == kUnset;
  if (!failed_) push(memo_[static_cast<size_t>(index)]);
}

bool PickleReader::memo(uint8_t opcode) {
  switch (opcode) {
    case 'q':  // BINPUT
      put(input_.read_le<uint8_t>());
      return true;
    case 'r':  // LONG_BINPUT
      put(input_.read_le<uint32_t>());
      return true;
    case 0x94:  // MEMOIZE
      put(memo_count_);
      return true;
    case 'h':  // BINGET
      get(input_.read_le<uint8_t>());
      return true;
    case 'j':  // LONG_BINGET
      get(input_.read_le<uint32_t>());
      return true;
    case 'p':    // PUT
    case 'g': {  // GET
      const Bytes digits = read_line();
      const char* const begin = reinterpret_cast<const char*>(digits.data());
      uint64_t index = 0;
      if (std::from_chars(begin, begin + digits.size(), index).ec != std::errc()) failed_ = true;
      if (opcode == 'p') {
        put(index);
      } else {
        get(index);
      }
      return true;
    }
    default:
      return false;
  }
}

bool PickleReader::machine(uint8_t opcode) {
  switch (opcode) {
    case 0x80:  // PROTO
      input_.read(1);
      return true;
    case 0x95:  // FRAME
      input_.read(8);
      return true;
    case 0x98:  // READONLY_BUFFER
      return true;
    case '(':  // MARK
      failed_ = failed_ || marks_.size() >= kMaxPickleValues;
      if (!failed_) marks_.push_back(stack_.size());
      return true;
    case '0':  // POP: of a mark, when one is on top
      if (!marks_.empty() && marks_.back() == stack_.size()) {
        marks_.pop_back();
      } else {
        pop();
      }
      return true;
    case '1':  // POP_MARK
      stack_.resize(pop_mark());
      return true;
    case '2':  // DUP
      push(top());
      return true;
    case '.':  // STOP
      stopped_ = true;
      failed_ = failed_ || stack_.empty();
      return true;
    default:
      return false;
  }
}

PickleValues read_pickle(Bytes pickle) {
  return PickleReader(pickle).read();
}

}  // namespace glyd

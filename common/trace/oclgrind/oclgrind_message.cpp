#include "common/trace/oclgrind/oclgrind_message.hpp"

#include <algorithm>
#include <charconv>

#include "common/base/text/text.hpp"

namespace ladder {
namespace {

constexpr std::size_t max_messages = 20'000, max_line_length = 400;

/// Reads one thing after another from the beginning of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  /// Moves behind the next @p words. @return false, at the old place, when they do not come.
  bool after(std::string_view words) {
    const auto at = rest_.find(words);
    if (at == rest_.npos) return false;
    rest_.remove_prefix(at + words.size());
    return true;
  }

  template <class Number>
  bool number(Number& value, int base = 10) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
    if (error != std::errc{}) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

  /// "(1,2,3)".
  bool triple(std::array<std::uint32_t, 3>& id) {
    for (std::size_t i = 0; i < 3; ++i)
      if (!after(i == 0 ? "(" : ",") || !number(id[i])) return false;
    return true;
  }

  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

void read_headline(std::string_view line, OclgrindMessage& message) {
  message.headline = line;
  Scanner size(line);
  if (size.after(" of size ")) size.number(message.bytes);
  for (const char* space : {"global", "local", "private", "constant"})
    if (Scanner place(line); place.after(std::string(space) + " memory address 0x")) {
      std::uint64_t address = 0;
      place.number(address, 16);
      message.space = space;
      message.is_null = address < std::uint64_t{1} << 32;
    }
  std::pair<std::int64_t, std::uint64_t> index;
  if (Scanner array(line); array.after("Index (") && array.number(index.first) &&
                           array.after("array size (") && array.number(index.second))
    message.index = index;
}

/// "First entity:  Global(33,0,0) Local(1,0,0) Group(1,0,0)", "Work-group: (0,0,0)".
bool read_party(std::string_view line, OclgrindParty& party) {
  if (line.starts_with("Work-group: ")) return Scanner(line).triple(party.group);
  if (line.find("ntity:") == line.npos && !line.starts_with("Work-item:")) return false;
  Scanner item(line), group(line);
  party.has_item = item.after("Local") && item.triple(party.local);
  return group.after("Group") && group.triple(party.group);
}

/// What an instruction of LLVM does, by its name.
std::string operation_of(std::string_view instruction) {
  if (instruction.starts_with("store ")) return "write";
  if (instruction.find("= load ") != instruction.npos) return "read";
  if (instruction.find("atom") != instruction.npos) return "atomic";
  return "";
}

/// Bytes of the type that a load or store of LLVM names: "store double %x, …", "%0 = load <4 x float>, …".
unsigned element_of(std::string_view instruction) {
  Scanner scanner(instruction);
  if (!scanner.after("store ") && !scanner.after("load ")) return 0;
  std::string_view type = scanner.rest().substr(0, scanner.rest().find_first_of(",%"));
  unsigned count = 1;
  if (Scanner vector(type);
      type.starts_with("<") && vector.after("<") && vector.number(count) && vector.after(" x "))
    type = vector.rest();
  constexpr std::pair<std::string_view, unsigned> types[] = {
      {"double", 8}, {"float", 4}, {"half", 2}, {"i64", 8}, {"i32", 4}, {"i16", 2}, {"i8", 1}};
  for (const auto& [name, bytes] : types)
    if (type.starts_with(name)) return count * bytes;
  return 0;
}

/// "At line 10 (column 23) of k.cpp:"
bool read_place(std::string_view line, OclgrindParty& party) {
  Scanner scanner(line);
  if (!line.starts_with("At line ") || !scanner.after("At line ") || !scanner.number(party.line))
    return false;
  if (!scanner.after(" of ")) return false;
  party.file = scanner.rest();
  if (!party.file.empty() && party.file.back() == ':') party.file.pop_back();
  return true;
}

/// The indented lines of a message, one after the other.
class Body {
 public:
  explicit Body(OclgrindMessage& message) : message_(message) {}

  void read(std::string_view line) {
    if (message_.detail.empty()) message_.detail = line;
    if (text_follows_) {
      text_follows_ = false;
      message_.parties.back().source_text = line;
      return;
    }
    OclgrindParty party;
    if (line.starts_with("Kernel:")) {
      message_.kernel = trim(line.substr(7));
    } else if (line.starts_with("Object: ")) {
      read_object(line);
    } else if (line == "Same value") {
      message_.same_value = true;
    } else if (line.starts_with("Only ")) {
      read_reached(line);
    } else if (read_party(line, party)) {
      // A work-item says more than the group that was named before it.
      if (!message_.parties.empty() && !message_.parties.back().has_item && message_.parties.back().line == 0)
        message_.parties.pop_back();
      message_.parties.push_back(party);
    } else if (!message_.parties.empty() && line.starts_with("Previous work-items executed")) {
      message_.parties.push_back({});
      message_.parties.back().group = message_.parties.front().group;
    } else if (!message_.parties.empty()) {
      OclgrindParty& last = message_.parties.back();
      if (last.line == 0 && read_place(line, last))
        text_follows_ = true;
      else if (last.operation.empty())
        last.operation = operation_of(line), last.element = element_of(line);
    }
  }

 private:
  void read_object(std::string_view line) {
    Scanner scanner(line);
    scanner.after("Object: ");
    message_.object = scanner.rest().substr(0, scanner.rest().find(','));
    if (scanner.after(", ")) scanner.number(message_.object_size);
    if (scanner.after(" at ")) scanner.number(message_.offset);
  }

  void read_reached(std::string_view line) {
    std::pair<unsigned, unsigned> reached;
    Scanner scanner(line);
    if (scanner.after("Only ") && scanner.number(reached.first) && scanner.after("out of ") &&
        scanner.number(reached.second))
      message_.reached = reached;
  }

  OclgrindMessage& message_;
  bool text_follows_ = false;
};

}  // namespace

std::vector<OclgrindMessage> split_oclgrind_log(std::string_view log) {
  std::vector<OclgrindMessage> messages;
  std::optional<Body> body;
  while (!log.empty() && messages.size() < max_messages) {
    const auto end = log.find('\n');
    const std::string_view whole = log.substr(0, std::min({end, log.size(), max_line_length}));
    log.remove_prefix(end == log.npos ? log.size() : end + 1);
    const std::string_view line = trim(whole);
    if (line.empty()) continue;
    if (whole.front() == '\t') {
      if (body) body->read(line);
      continue;
    }
    body.reset();  // refers to the last message
    read_headline(line, messages.emplace_back());
    body.emplace(messages.back());
  }
  return messages;
}

}  // namespace ladder

#include "common/trace/oclgrind/oclgrind_words.hpp"

#include <fmt/format.h>

namespace ladder {
namespace {

/// "3", "(3,1)": as many dimensions as are in use.
std::string id_text(const std::array<std::uint32_t, 3>& id) {
  if (id[2] > 0) return fmt::format("({},{},{})", id[0], id[1], id[2]);
  return id[1] > 0 ? fmt::format("({},{})", id[0], id[1]) : std::to_string(id[0]);
}

std::string who(const OclgrindParty& party) {
  if (!party.has_item) return "work-group " + id_text(party.group);
  return fmt::format("work-item {} of work-group {}", id_text(party.local), id_text(party.group));
}

std::string verb_of(std::string_view operation) {
  return operation == "write" ? "writes" : operation == "atomic" ? "changes" : "reads";
}

/// What is done with a value that nobody wrote.
std::string use_of_uninitialised(const OclgrindMessage& message, const std::string& place) {
  if (message.headline.starts_with("Controlflow")) return "branches on memory that nobody had written";
  if (message.headline.starts_with("Uninitialized value"))
    return fmt::format("writes to {} what came from memory that nobody had written", place);
  return "takes an address from memory that nobody had written";
}

/// Begins with a small letter.
std::string sentence_of(const Finding& finding, const OclgrindMessage& message) {
  const std::string place =
      finding.address.empty() ? "an element of " + message.space + " memory" : finding.address;
  const std::string someone = message.parties.empty() ? "a work-item" : who(message.parties[0]);
  const std::string verb = verb_of(finding.operation);
  if (finding.other && message.parties.size() > 1)
    return fmt::format("{} {} {} (line {}) while {} {} it (line {}): nothing orders the two", someone, verb,
                       place, finding.site.line, who(message.parties[1]), verb_of(finding.other->operation),
                       finding.other->site.line);
  const std::string line = fmt::format(" (line {})", finding.site.line);
  if (finding.kind == "null")
    return fmt::format("{} {} {} bytes through a null pointer", someone, verb, message.bytes) + line;
  if (finding.kind == "out-of-bounds" && message.index)
    return fmt::format("{} uses index {} of an array of {} elements", someone, message.index->first,
                       message.index->second) +
           line;
  if (finding.kind == "out-of-bounds" && message.bytes > 0)
    return fmt::format("{} {} {}", someone, verb, place) + line;
  if (finding.kind == "uninitialised") return someone + " " + use_of_uninitialised(message, place) + line;
  if (finding.kind == "barrier" && message.reached)
    return fmt::format("only {} of the {} work-items of {} reach the barrier", message.reached->first,
                       message.reached->second, someone) +
           line;
  return fmt::format("{}: {}", someone, message.headline) + line;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

std::string address_of(const OclgrindMessage& message) {
  if (message.object.empty()) return "";
  const unsigned known = message.bytes > 0         ? message.bytes
                         : message.parties.empty() ? 0
                                                   : message.parties[0].element;
  const std::int64_t element = known;
  if (element == 0 || message.object_size % known != 0)
    return fmt::format("{} + {} (of {} bytes)", message.object, message.offset, message.object_size);
  // The lowest byte that differs need not be the element's first one.
  const std::int64_t index =
      message.offset >= 0 ? message.offset / element : -((element - 1 - message.offset) / element);
  return fmt::format("{}[{}] (of {})", message.object, index, message.object_size / known);
}

std::string text_of(const Finding& finding, const OclgrindMessage& message) {
  return capitalised(sentence_of(finding, message));
}

}  // namespace ladder

#include "common/tool/catalogue/old_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "common/base/files/files.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of a rung's name, short or full, that begins at a place of a text; that place when there is none.
std::size_t end_of_name(const std::string& text, std::size_t at) {
  if (tracks.find(text[at]) == tracks.npos || (at > 0 && is_word(text[at - 1]))) return at;
  std::size_t end = at + 1;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == at + 1) return at;
  if (end < text.size() && text[end] == '_')
    while (end < text.size() && is_word(text[end])) ++end;
  return end < text.size() && is_word(text[end]) ? at : end;
}

/// The lesson that an object is about; what it is inside of, unless it says so itself.
std::string lesson_of(const json& object, const std::string& outside) {
  if (const json name = object.value("lesson", json()); name.is_string()) return name;
  const json name = object.value("name", json());
  const bool lesson = name.is_string() && (object.contains("steps") || object.contains("reproductions"));
  return lesson ? name.get<std::string>() : outside;
}

}  // namespace

Renames::Renames(std::vector<OldName> names, std::set<std::string> present, fs::path folder)
    : names_(std::move(names)), file_(std::move(folder) / "renamed.json") {
  std::map<std::string, std::string> claimed;
  for (const OldName& name : names_) {
    const auto [earlier, first] = claimed.emplace(name.lesson + "/" + name.was, name.now);
    if (!first)
      throw UsageError{fmt::format("{}: {} and {} both say that they were {}; one of them is what it became",
                                   name.lesson, earlier->second, name.now, name.was)};
  }
  if (const json list = read_json(file_); list.is_array())
    for (const json& one : list)
      if (one.is_string()) applied_.insert(one.get<std::string>());
  for (const OldName& name : names_)
    if (!applied_.contains(name.text()) || !present.contains(name.lesson + "/" + name.was))
      active_.push_back(name);
  for (const std::string& name : present) lessons_.insert(name.substr(0, name.find('/')));
}

std::string Renames::now_of(const std::string& lesson, const std::string& name, bool short_name) const {
  for (const OldName& one : active_) {
    if (one.lesson != lesson) continue;
    if (!short_name && one.was == name) return one.now;
    if (short_name && id_of(one.was) == name && !applied_.contains(one.text())) return id_of(one.now);
  }
  return name;
}

/// The lesson in "01-lu/g4_on_device" or "01/g4", for the place where the rung's name begins; empty when
/// there is none.
std::string Renames::lesson_before(const std::string& text, std::size_t at) const {
  for (const std::string& lesson : lessons_)
    for (const std::string& prefix : {lesson + "/", lesson.substr(0, 2) + "/"})
      if (at >= prefix.size() && text.compare(at - prefix.size(), prefix.size(), prefix) == 0) return lesson;
  return "";
}

std::string Renames::text(const std::string& text, const std::string& lesson, bool short_names) const {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_name(text, at);
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string name = text.substr(at, end - at), own = lesson_before(text, at);
    const bool is_short = name.find('_') == name.npos;
    out += is_short && !short_names ? name : now_of(own.empty() ? lesson : own, name, is_short);
    at = end;
  }
  return out;
}

json Renames::renamed(const json& value, const std::string& lesson, bool short_names) const {
  if (value.is_string()) return text(value, lesson, short_names);
  if (value.is_array()) {
    json out = json::array();
    for (const json& one : value) out.push_back(renamed(one, lesson, short_names));
    return out;
  }
  if (!value.is_object()) return value;
  json out = json::object(), moved = json::object();
  const std::string inside = lesson_of(value, lesson);
  for (const auto& [key, one] : value.items()) {
    const std::string now = text(key, inside);
    (now == key ? out : moved)[now] = renamed(one, inside, short_names);
  }
  for (const auto& [key, one] : moved.items())
    if (!out.contains(key)) out[key] = one;  // what the rung of today has already counts
  return out;
}

bool Renames::apply(json& document) const {
  // Tables and figures of a reproduction call rungs by their short names.
  const bool short_names = document.is_object() && document.value("verb", "") == "reproduce";
  json now = renamed(document, "", short_names);
  if (now == document) return false;
  document = std::move(now);
  return true;
}

bool Renames::all_applied() const {
  return std::all_of(names_.begin(), names_.end(),
                     [&](const OldName& name) { return applied_.contains(name.text()); });
}

bool Renames::keep() const {
  std::set<std::string> all = applied_;
  for (const OldName& name : names_) all.insert(name.text());
  if (all == applied_) return false;
  write_text(file_, report::dump(json(all), 1) + "\n");
  return true;
}

}  // namespace ladder

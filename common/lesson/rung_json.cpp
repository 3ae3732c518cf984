#include "common/lesson/rung_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/error.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// A structure, to be read or to be filled.
template <class T, class Structure>
concept Is = std::is_same_v<std::remove_const_t<T>, Structure>;

// The lists of fields. A visitor gets each field's name and the member.

template <class Row, class Visitor>
requires std::is_same_v<std::remove_const_t<Row>, Target>
void fields(Row& target, Visitor&& visit) {
  visit("metric", target.metric);
  visit("relation", target.relation);
  visit("bound", target.bound);
  visit("necessary", target.necessary);
  visit("amount", target.amount);
  visit("size", target.size);
  visit("restricted", target.restricted);
  visit("floor", target.floor);
  visit("proof", target.proof);
  visit("own_cost", target.own_cost);
}
template <class Row, class Visitor>
requires std::is_same_v<std::remove_const_t<Row>, TimeBound>
void fields(Row& time, Visitor&& visit) {
  visit("peer", time.peer);
  visit("ratio", time.ratio);
  visit("size", time.size);
}
template <class Row, class Visitor>
requires std::is_same_v<std::remove_const_t<Row>, RowPoints>
void fields(Row& points, Visitor&& visit) {
  visit("correctness", points.correctness);
  visit("targets", points.targets);
  visit("time", points.time);
}
template <class Row, class Visitor>
requires std::is_same_v<std::remove_const_t<Row>, DeviceSizes>
void fields(Row& sizes, Visitor&& visit) {
  visit("usual", sizes.usual);
  visit("further", sizes.further);
  visit("small", sizes.small);
}
template <class Row, class Visitor>
requires std::is_same_v<std::remove_const_t<Row>, NamedSize>
void fields(Row& one, Visitor&& visit) {
  visit("name", one.name);
  visit("size", one.size);
}
template <class Row, class Visitor>
requires std::is_same_v<std::remove_const_t<Row>, Step>
void fields(Row& step, Visitor&& visit) {
  visit("file", step.file);
  visit("was", step.was);
  visit("idea", step.idea);
  visit("kind", step.kind);
  visit("data", step.data);
  visit("hours", step.hours);
  visit("targets", step.targets);
  visit("time", step.time);
  visit("ranks", step.ranks);
  visit("no_model", step.no_model);
  visit("matrix_products", step.matrix_products);
  visit("bytes_per_flop", step.bytes_per_flop);
  visit("why_long", step.why_long);
  visit("asks", step.asks);
  visit("points", step.points);
  visit("hints", step.hints);
}
template <class Row, class Visitor>
requires std::is_same_v<std::remove_const_t<Row>, Lesson>
void fields(Row& lesson, Visitor&& visit) {
  visit("name", lesson.name);
  visit("title", lesson.title);
  visit("source", lesson.source);
  visit("on_device", lesson.on_device);
  visit("classes", lesson.classes);
  visit("steps", lesson.steps);
}

template <class T>
concept HasFields = requires(T& t) {
  fields(t, [](const char*, auto&) {});
};

constexpr const char* kind_letters[] = {"R", "S", "D"};  // in the order of Kind
constexpr const char* data_words[] = {"host", "resident"};

// ---- to JSON

json written(const std::string& value) {
  return value;
}
json written(double value) {
  return value;
}
json written(int value) {
  return value;
}
json written(bool value) {
  return value;
}
json written(Kind kind) {
  return kind_letters[static_cast<int>(kind)];
}
json written(Data data) {
  return data_words[static_cast<int>(data)];
}
json written(const std::array<std::string, 2>& hints) {
  return hints;
}
json written(const std::map<std::string, std::variant<bool, double>>& asks) {
  json all = json::object();
  for (const auto& ask : asks) std::visit([&](auto one) { all[ask.first] = one; }, ask.second);
  return all;
}
template <class T>
json written(const std::vector<T>& values);
template <HasFields T>
json written(const T& value) {
  if constexpr (std::is_same_v<T, TimeBound>)
    if (value.peer.empty() && value.size == 0) return nullptr;
  json object = json::object();
  if constexpr (std::is_same_v<T, Step>) object["name"] = value.name();
  fields(value, [&](const char* name, const auto& member) { object[name] = written(member); });
  return object;
}
template <class T>
json written(const std::vector<T>& values) {
  json list = json::array();
  for (const T& value : values) list.push_back(written(value));
  return list;
}

// ---- from JSON

[[noreturn]] void refuse(const std::string& where, const char* what) {
  throw Error(fmt::format("a lesson's table: {} is not {}", where, what));
}

void take(const json& value, std::string& member, const std::string& where) {
  if (!value.is_string()) refuse(where, "a text");
  member = value;
}
void take(const json& value, double& member, const std::string& where) {
  if (!value.is_number()) refuse(where, "a number");
  member = value;
}
void take(const json& value, int& member, const std::string& where) {
  if (!value.is_number_integer()) refuse(where, "a whole number");
  member = value;
}
void take(const json& value, bool& member, const std::string& where) {
  if (!value.is_boolean()) refuse(where, "true or false");
  member = value;
}
template <class Enum, std::size_t count>
void take_word(const json& value, Enum& member, const char* const (&words)[count], const std::string& where) {
  const auto found =
      std::find_if(std::begin(words), std::end(words), [&](const char* word) { return value == word; });
  if (found == std::end(words)) refuse(where, fmt::format("one of {}", fmt::join(words, ", ")).c_str());
  member = static_cast<Enum>(found - std::begin(words));
}
void take(const json& value, Kind& member, const std::string& where) {
  take_word(value, member, kind_letters, where);
}
void take(const json& value, Data& member, const std::string& where) {
  take_word(value, member, data_words, where);
}
void take(const json& value, std::array<std::string, 2>& member, const std::string& where) {
  if (!value.is_array() || value.size() != 2) refuse(where, "a list of two texts");
  for (std::size_t i = 0; i < 2; ++i) take(value[i], member[i], where);
}
void take(const json& value, std::map<std::string, std::variant<bool, double>>& member,
          const std::string& where) {
  if (!value.is_object()) refuse(where, "an object");
  for (const auto& [name, one] : value.items()) {
    if (one.is_boolean())
      member[name] = one.get<bool>();
    else if (one.is_number())
      member[name] = one.get<double>();
    else
      refuse(where + "." + name, "a number, true or false");
  }
}
template <class T>
void take(const json& value, std::vector<T>& member, const std::string& where);
template <HasFields T>
void take(const json& value, T& member, const std::string& where) {
  if constexpr (std::is_same_v<T, TimeBound>)
    if (value.is_null()) return;
  if (!value.is_object()) refuse(where, "an object");
  std::vector<std::string> known;
  if constexpr (std::is_same_v<T, Step>) known.push_back("name");  // derived from the file
  fields(member, [&](const char* name, auto& one) {
    known.push_back(name);
    if (value.contains(name)) take(value[name], one, where + "." + name);
  });
  for (const auto& [name, one] : value.items())
    if (std::find(known.begin(), known.end(), name) == known.end()) refuse(where + "." + name, "a field");
}
template <class T>
void take(const json& value, std::vector<T>& member, const std::string& where) {
  if (!value.is_array()) refuse(where, "a list");
  for (std::size_t i = 0; i < value.size(); ++i)
    take(value[i], member.emplace_back(), fmt::format("{}[{}]", where, i));
}

}  // namespace

json to_json(const Lesson& lesson) {
  return written(lesson);
}

Lesson lesson_from_json(const json& table) {
  Lesson lesson;
  take(table, lesson, "table");
  return lesson;
}

}  // namespace ladder

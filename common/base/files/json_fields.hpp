#pragma once
/// @file
/// Structures as JSON, in both directions, from one list of fields each:
///
///     void fields(Is<Point> auto& point, auto&& visit) {
///       visit("x", point.x);
///       visit("note", point.note, optional_field);
///     }
///
/// A field that is unknown, or has another type, is refused with its name.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.hpp"

namespace ladder {

/// A structure, to be read or to be filled.
template <class T, class Structure>
concept Is = std::is_same_v<std::remove_const_t<T>, Structure>;

/// Marks a field that is not written while it is empty: an empty text or list, nothing, zero.
struct OptionalField {};
inline constexpr OptionalField optional_field{};

namespace json_fields {

using nlohmann::json;

struct AnyVisitor {
  void operator()(const char*, const auto&, OptionalField = {}) const {}
  /// A field that is made from others: written, and ignored when it is read.
  void derived(const char*, const auto&) const {}
  /// Whether a field is there, for lists that depend on it: known once it is read, and of what is written
  /// already.
  void presence(const char*, auto&) const {}
};

template <class T>
concept HasFields = requires(T& value) {
  fields(value, AnyVisitor{});
};
/// An enumeration whose words are listed in its order by words_of().
template <class T>
concept HasWords = requires(T value) {
  words_of(value);
};
/// A structure that is written as null while it states nothing.
template <class T>
concept MayBeNull = requires(const T& value) {
  states_nothing(value);
};

template <class T, template <class...> class Template>
inline constexpr bool is_a = false;
template <template <class...> class Template, class... Parts>
inline constexpr bool is_a<Template<Parts...>, Template> = true;

template <class T>
bool is_empty(const T& value) {
  if constexpr (is_a<T, std::optional>)
    return !value.has_value();
  else if constexpr (std::is_arithmetic_v<T>)
    return value == T{};
  else
    return value.empty();
}

[[noreturn]] inline void refuse(const std::string& where, const std::string& expected) {
  throw Error(where + " must be " + expected);
}

template <class T>
json written(const T& value);

struct Writer {
  json& object;

  template <class T>
  void operator()(const char* name, const T& member) {
    object[name] = written(member);
  }
  template <class T>
  void operator()(const char* name, const T& member, OptionalField) {
    if (!is_empty(member)) object[name] = written(member);
  }
  void derived(const char* name, const auto& value) { object[name] = value; }
  void presence(const char*, const bool&) {}
};

template <class T>
json written(const T& value) {
  if constexpr (MayBeNull<T>)
    if (states_nothing(value)) return nullptr;
  if constexpr (HasFields<const T>) {
    json object = json::object();
    fields(value, Writer{object});
    return object;
  } else if constexpr (HasWords<T>) {
    return words_of(value)[static_cast<std::size_t>(value)];
  } else if constexpr (is_a<T, std::optional>) {
    return value ? written(*value) : json(nullptr);
  } else if constexpr (is_a<T, std::vector> || is_a<T, std::set>) {
    json list = json::array();
    for (const auto& one : value) list.push_back(written(one));
    return list;
  } else if constexpr (is_a<T, std::map>) {
    json object = json::object();
    for (const auto& [name, one] : value) object[name] = written(one);
    return object;
  } else if constexpr (is_a<T, std::variant>) {
    return std::visit([](const auto& one) { return json(one); }, value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value) ? json(value) : json(nullptr);  // JSON has no infinity and no NaN
  } else {
    return value;
  }
}

template <class T>
void take(const json& value, T& member, const std::string& where);

struct Reader {
  const json& object;
  const std::string& where;
  std::set<std::string_view>& known;

  template <class T>
  void operator()(const char* name, T& member, OptionalField = {}) {
    known.insert(name);
    if (object.contains(name)) take(object[name], member, where + "." + name);
  }
  void derived(const char* name, const auto&) { known.insert(name); }
  void presence(const char* name, bool& there) { there = object.contains(name); }
};

template <class T>
void take_structure(const json& value, T& member, const std::string& where) {
  if (!value.is_object()) refuse(where, "an object");
  std::set<std::string_view> known;
  fields(member, Reader{value, where, known});
  for (const auto& [name, one] : value.items())
    if (!known.contains(name)) throw Error(where + "." + name + " is not a known field");
}

template <class T>
void take_word(const json& value, T& member, const std::string& where) {
  const auto& words = words_of(member);
  const auto found = std::find_if(std::begin(words), std::end(words),
                                  [&](const auto& word) { return value == std::string(word); });
  if (found == std::end(words)) refuse(where, fmt::format("one of {}", fmt::join(words, ", ")));
  member = static_cast<T>(found - std::begin(words));
}

template <class T>
void take_number(const json& value, T& member, const std::string& where) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!value.is_boolean()) refuse(where, "true or false");
  } else if constexpr (std::is_integral_v<T>) {
    if (!value.is_number_integer()) refuse(where, "an integer");
  } else {
    if (value.is_null()) return void(member = std::numeric_limits<T>::quiet_NaN());
    if (!value.is_number()) refuse(where, "a number");
  }
  member = value.get<T>();
}

template <class First, class Second>
void take_pair(const json& value, std::pair<First, Second>& member, const std::string& where) {
  if (!value.is_array() || value.size() != 2) refuse(where, "a list of two");
  take(value[0], member.first, where + "[0]");
  take(value[1], member.second, where + "[1]");
}

template <class T>
void take(const json& value, T& member, const std::string& where) {
  if constexpr (MayBeNull<T>)
    if (value.is_null()) return;
  if constexpr (HasFields<T>) {
    take_structure(value, member, where);
  } else if constexpr (HasWords<T>) {
    take_word(value, member, where);
  } else if constexpr (is_a<T, std::optional>) {
    if (value.is_null()) return member.reset();
    take(value, member.emplace(), where);
  } else if constexpr (is_a<T, std::vector>) {
    if (!value.is_array()) refuse(where, "a list");
    member.clear();
    for (std::size_t i = 0; i < value.size(); ++i)
      take(value[i], member.emplace_back(), fmt::format("{}[{}]", where, i));
  } else if constexpr (is_a<T, std::set>) {
    std::vector<typename T::value_type> list;
    take(value, list, where);
    member = T(list.begin(), list.end());
  } else if constexpr (is_a<T, std::map>) {
    if (!value.is_object()) refuse(where, "an object");
    member.clear();
    for (const auto& [name, one] : value.items()) take(one, member[name], where + "." + name);
  } else if constexpr (is_a<T, std::pair>) {
    take_pair(value, member, where);
  } else if constexpr (std::is_same_v<T, std::array<std::string, 2>>) {
    if (!value.is_array() || value.size() != 2) refuse(where, "a list of two strings");
    for (std::size_t i = 0; i < 2; ++i) take(value[i], member[i], where);
  } else if constexpr (std::is_same_v<T, std::variant<bool, double>>) {
    if (!value.is_boolean() && !value.is_number()) refuse(where, "a number, true or false");
    if (value.is_boolean())
      member = value.get<bool>();
    else
      member = value.get<double>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_string()) refuse(where, "a string");
    member = value.get<std::string>();
  } else if constexpr (std::is_same_v<T, json>) {
    member = value;
  } else {
    take_number(value, member, where);
  }
}

/// Copies a field that is there.
struct Copier {
  const json& from;
  json& to;

  void operator()(const char* name, const auto&, OptionalField = {}) {
    if (from.contains(name)) to[name] = from[name];
  }
  void derived(const char*, const auto&) {}
  void presence(const char*, const bool&) {}
};

/// An object without the fields that a structure does not have.
template <HasFields T>
json known_part(const json& value) {
  json part = json::object();
  const T none{};
  if (value.is_object()) fields(none, Copier{value, part});
  return part;
}

}  // namespace json_fields

/// A structure, or a list of them, as JSON.
template <class T>
nlohmann::json json_from(const T& value) {
  return json_fields::written(value);
}

/// The structure that JSON describes; a field that is not there keeps its default.
/// @param what  how messages begin: "a lesson's table: table"
/// @throws Error for a field that is unknown or of another type: "a lesson's table: table.steps[1].hours must
/// be a number"
template <class T>
T structure_from(const nlohmann::json& value, const std::string& what) {
  T structure{};
  json_fields::take(value, structure, what);
  return structure;
}

}  // namespace ladder

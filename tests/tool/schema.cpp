#include "tests/tool/schema.hpp"

#include <algorithm>

namespace ladder::test {
namespace {

using nlohmann::json;

bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer")
    return value.is_number_integer() ||
           (value.is_number() && value.get<double>() == static_cast<double>(value.get<long long>()));
  return type == "number" && value.is_number();
}

bool has_one_of(const json& value, const json& types) {
  if (types.is_string()) return has_type(value, types);
  return std::any_of(types.begin(), types.end(), [&](const json& t) { return has_type(value, t); });
}

/// A field that a schema does not list.
std::string unknown_property(const json& value, const json& schema) {
  for (const auto& [key, _] : value.items())
    if (value.is_object() && !schema.at("properties").contains(key)) return key;
  return "";
}

}  // namespace

std::string violation(const json& value, const json& schema, const json& root, const std::string& where) {
  if (schema.contains("$ref")) {
    const json& part = root.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1)));
    const bool closed = schema.value("unevaluatedProperties", json()) == false;
    const std::string unknown = closed ? unknown_property(value, part) : "";
    return unknown.empty() ? violation(value, part, root, where) : where + ": " + unknown + " is unknown";
  }
  if (schema.value("additionalProperties", json()) == false)
    if (const std::string unknown = unknown_property(value, schema); !unknown.empty())
      return where + ": " + unknown + " is unknown";
  if (schema.contains("type") && !has_one_of(value, schema["type"]))
    return where + ": " + value.dump().substr(0, 60) + " is no " + schema["type"].dump();
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return where + ": " + value.dump() + " is none of " + schema["enum"].dump();
  if (schema.contains("required"))
    for (const json& key : schema["required"])
      if (!value.contains(key.get<std::string>())) return where + ": no " + key.get<std::string>();
  if (schema.contains("properties") && value.is_object())
    for (const auto& [key, part] : schema["properties"].items())
      if (value.contains(key))
        if (const std::string bad = violation(value[key], part, root, where + "/" + key); !bad.empty())
          return bad;
  if (schema.contains("items") && value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      if (const std::string bad = violation(value[i], schema["items"], root, where + "/" + std::to_string(i));
          !bad.empty())
        return bad;
  return "";
}

}  // namespace ladder::test

#pragma once
/// @file
/// As much of JSON Schema as docs/results.schema.json uses: type, enum, required, properties, items, $ref;
/// and additionalProperties and unevaluatedProperties where they are false.

#include <nlohmann/json.hpp>
#include <string>

namespace ladder::test {

/// @return what is wrong and where; empty when the value fits
std::string violation(const nlohmann::json& value, const nlohmann::json& schema, const nlohmann::json& root,
                      const std::string& where = "");

}  // namespace ladder::test

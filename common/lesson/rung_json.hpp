#pragma once
/// @file
/// A lesson's table as JSON, in both directions: each structure has one list of fields.

#include <nlohmann/json.hpp>

#include "common/lesson/rung.hpp"

namespace ladder {

nlohmann::json to_json(const Lesson& lesson);

/// @throws Error for a field that is unknown or of another type, with its name
Lesson lesson_from_json(const nlohmann::json& table);

}  // namespace ladder

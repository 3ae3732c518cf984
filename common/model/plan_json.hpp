#pragma once
/// @file
/// A plan as plan.json has it, in both directions.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/model/plan.hpp"

namespace ladder {

/// With the schema's name.
nlohmann::json to_json(const Plan& plan);

/// @param file  that messages name
/// @throws Error for another schema, and for a field that is unknown or of another type, with its name
Plan plan_from_json(const nlohmann::json& plan, const std::string& file);

}  // namespace ladder

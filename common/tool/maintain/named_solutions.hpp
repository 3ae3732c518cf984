#pragma once
/// @file
/// Lessons and steps among the words of reproduce executor: the rows of their solutions are renewed, the
/// others stay.

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/tool/core/context.hpp"

namespace ladder {

/// The solutions in CUDA of which executor and GPU run the same code, by their paths.
std::vector<std::string> comparable_solutions(const Context& context);

/// Takes names of lessons and steps out of what is wanted; when there are some, "solutions" is wanted in
/// their place.
/// @return those of comparable_solutions() that they mean; empty: none were named, all are meant
/// @throws UsageError for a name that is none, or that means none of these
std::vector<std::string> named_solutions(Context& context, std::set<std::string>& wanted);

/// Puts rows in the place of those of the same steps ("step"), each with its date; the others stay.
void renew(nlohmann::json& table, const nlohmann::json& rows);

}  // namespace ladder

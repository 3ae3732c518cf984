#pragma once
/// @file
/// Findings for a person: what, where, who, and what it means.

#include <string>
#include <vector>

#include "common/base/observation/observation.hpp"

namespace ladder {

/// One finding: "file:line: error: message", then the other party and the meaning, wrapped.
std::string finding_text(const Finding& finding, std::size_t width);

/// The worst ones, errors first; how many more there are.
std::string findings_text(const std::vector<Finding>& findings, std::size_t width, std::size_t most = 10);

}  // namespace ladder

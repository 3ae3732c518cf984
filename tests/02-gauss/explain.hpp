#pragma once
/// @file
/// What a student reads when x is wrong: what happened and a question, never the answer.

#include <string>
#include <utility>
#include <vector>

#include "problems.hpp"

namespace gauss::test {

/// Heading and text.
using Detail = std::pair<std::string, std::string>;

/// What x, and what the step left in A and b, say. Nothing is claimed about a step that does not eliminate in
/// place.
/// @param wrong  the case that was not right
/// @param given  A and b as they were before the call
std::vector<Detail> explain(const Case& wrong, const Problem& given, const Problem& got);

/// What the cases that were right have in common, and the wrong one has not.
/// @param right  the cases that were right before
std::vector<Detail> explain_case(const std::vector<Case>& right, const Case& wrong);

}  // namespace gauss::test

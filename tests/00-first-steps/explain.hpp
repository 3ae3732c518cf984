#pragma once
/// @file
/// What a student reads when a result is wrong: what happened and a question, never the answer.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify.hpp"

namespace first_steps::test {

/// Heading and text.
using Detail = std::pair<std::string, std::string>;

/// @return "12 of 4096 wrong, first B[0][1]: expected 0.5, got 0.25"; "" when all is right.
std::string describe(const Problem& p, const Comparison& result);

/// What the pattern of right and wrong says.
/// @param right  the cases that were right before
/// @param wrong  the case that was not
std::vector<Detail> explain(const std::vector<Case>& right, const Case& wrong, const Comparison& result);

}  // namespace first_steps::test

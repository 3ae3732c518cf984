#pragma once
/// @file
/// What a student reads when C is wrong: what happened and a question, never the answer.

#include <string>
#include <utility>
#include <vector>

#include "amounts.hpp"
#include "verify.hpp"

namespace dgemm::test {

/// Heading and text.
using Detail = std::pair<std::string, std::string>;

/// @return "4092 of 4096 wrong, first C[0][1]: expected 15.92003, got 16.27741"; "" when all is right.
std::string describe(const Comparison& result);

/// What the pattern of right and wrong says.
/// @param asks   of the step
/// @param ranks  processes of an MPI step, else 1
/// @param right  the cases that were right before
/// @param wrong  the case that was not
std::vector<Detail> explain(const Asks& asks, int ranks, const std::vector<Case>& right, const Case& wrong,
                            const Comparison& result);

}  // namespace dgemm::test

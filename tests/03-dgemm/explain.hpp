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

/// The processes of a step.
struct Ranks {
  int count = 1;
  bool grid = false;  ///< each has a block of every matrix; else some rows of C
};

/// What the pattern of right and wrong says.
/// @param asks   of the step
/// @param right  the cases that were right before
/// @param wrong  the case that was not
std::vector<Detail> explain(const Asks& asks, Ranks ranks, const std::vector<Case>& right, const Case& wrong,
                            const Comparison& result);

}  // namespace dgemm::test

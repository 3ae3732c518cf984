#pragma once
/// @file
/// What several runs of one step say together.

#include <cstddef>
#include <string>
#include <vector>

namespace ladder::grade {

/// How often a step is run at most before its verdict is given.
inline constexpr std::size_t most_runs = 3;

/// The verdict of a step after its runs, in their order: "" while another one has to decide.
/// WRONG, CRASHED and TIMEOUT count when one of them has come twice, since once may have been the machine. A step that did
/// not fail again, and one that failed in three ways, are for a person to look at: "REVIEW".
std::string verdict_of(const std::vector<std::string>& runs);

}  // namespace ladder::grade

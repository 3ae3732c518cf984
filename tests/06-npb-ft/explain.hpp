#pragma once
/// @file
/// What a wrong grid says about its cause.

#include <string>
#include <utility>
#include <vector>

#include "problems.hpp"
#include "reference.hpp"

namespace npb_ft::test {

using Detail = std::pair<std::string, std::string>;

/// The larger difference of the two parts.
double distance(Complex a, Complex b);

/// What the wrong numbers themselves say. Empty when nothing is known.
/// @param slack  how far a right number may be from the expected one
/// @param error  largest difference over rms(u)
std::vector<Detail> explain_grid(const Problem& given, const Problem& got, const Result& expected,
                                 double slack, double error);

/// What the cases say that were right before the wrong one.
std::vector<Detail> explain_case(const std::vector<Case>& right, const Case& wrong);

}  // namespace npb_ft::test

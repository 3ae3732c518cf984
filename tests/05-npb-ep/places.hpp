#pragma once
/// @file
/// Where the right values of a wrong result are: in the other sum, some times over, or only those of some
/// pairs.

#include <optional>
#include <string>

#include "problem.hpp"
#include "reference.hpp"

namespace npb_ep::test {

/// What a wrong result holds, and the question that leads to the cause.
struct Place {
  std::string what, question;
};

/// Looks where the numbers come from. Sums that agree in all their digits are no chance; counts that agree
/// may be one, so that alone they only say something of many pairs.
std::optional<Place> place_of(const Problem& given, const Problem& got, const Result& expected);

}  // namespace npb_ep::test

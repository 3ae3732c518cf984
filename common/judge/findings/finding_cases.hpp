#pragma once
/// @file
/// Which cases of a step are watched for findings.

#include <cstddef>
#include <vector>

#include "common/judge/findings/findings.hpp"
#include "common/judge/suite.hpp"

namespace ladder {

/// A case to be watched, by its place among the step's.
struct FindingCase {
  std::size_t place;
  int calls;
  bool operator==(const FindingCase&) const = default;
};

/// The cases that are watched, in their order, without those that a step must refuse.
///
/// - Of each class the first one and the largest that is small enough. Kernels are watched on a class's first
///   case at any size: lessons put there what a rung must be watched on.
/// - Sanitizers of CPU steps watch small cases, each as often as the watch says. Of the classes that have
///   none they watch one, on its first case and once: that with the least work, and none if it would take
///   seconds. A loop over blocks has to go round several times, but more rounds show no other mistake, and no
///   more threads than before.
std::vector<FindingCase> finding_cases(const std::vector<Case>& cases, const Watch& watch);

}  // namespace ladder

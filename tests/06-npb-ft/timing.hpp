#pragma once
/// @file
/// A class of NPB, run and timed: as NPB prescribes, and the kernels alone.

#include <string>
#include <vector>

#include "common/judge/session.hpp"
#include "npb_ft.hpp"

namespace npb_ft::test {

/// One run.
struct Timed {
  double seconds = 0;  ///< of the call, as NPB prescribes: from the tables of roots to the last checksum
  double kernel_seconds = 0;  ///< of its kernels, by the device's clock; 0: not known
  Problem problem;
  std::vector<Complex> checksums{};
  std::string wrong{};  ///< empty: right
};

/// The launch of a step, with a recorder of kernels where a GPU runs it.
ladder::Launch timed_launch(const ladder::PlannedStep& step);

/// Calls the step once on the grid of 2^M points with NPB's seed. @throws ladder::Failure
Timed run_official(ladder::Session& session, int M);

/// Floating-point operations a second, in millions, by NPB's formula: what it calls Mop/s.
double mops(const Problem& p, double seconds);

/// "B", or "2^20" where NPB has no class of that size.
std::string class_name(int M);

}  // namespace npb_ft::test

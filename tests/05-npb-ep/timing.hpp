#pragma once
/// @file
/// A class of NPB, run and timed: as NPB prescribes, and the kernel alone.

#include <optional>
#include <string>

#include "common/judge/session.hpp"
#include "npb_ep.hpp"

namespace npb_ep::test {

/// One run.
struct Timed {
  double seconds =
      0;  ///< of the call, as NPB prescribes: from before the generator is set up to the sums of all
  double kernel_seconds = 0;  ///< of its kernels, by the device's clock; 0: not known
  double sx = 0, sy = 0;
  Count q[bins] = {};
  std::string wrong{};  ///< empty: right
};

/// The launch of a step, with a recorder of kernels where a GPU runs it.
ladder::Launch timed_launch(const ladder::PlannedStep& step);

/// Calls the step once on 2^M pairs with NPB's seed and NPB's batches. @throws ladder::Failure
Timed run_official(ladder::Session& session, int M);

/// Random numbers a second, in millions: what NPB calls Mop/s.
double mops(int M, double seconds);

/// "B", or "2^20" where NPB has no class of that size.
std::string class_name(int M);

}  // namespace npb_ep::test

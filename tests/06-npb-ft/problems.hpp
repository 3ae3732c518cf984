#pragma once
/// @file
/// The problems that steps are tried on.

#include <string>
#include <vector>

#include "common/base/random.hpp"
#include "common/npb/seed.hpp"
#include "problem.hpp"

namespace npb_ft::test {

using ladder::npb::Seed;

/// One problem.
struct Case {
  std::string group;
  int nx, ny, nz, iterations;
  Seed seed = Seed::fresh;
  bool content_repeats = false;  ///< the judge takes so long for a result that each call gets NPB's seed
};

/// The cases of a step, small ones first.
/// @param on_processor  the step runs on the processor, where class S takes a moment
/// @param on_device     it runs on a GPU, where larger classes do
std::vector<Case> cases(bool on_processor, bool on_device);

/// One problem of 2^M points: NPB's class of that size, or a grid as near to a cube as it can be, at two
/// times.
Case sized(int M);

Problem shape(const Case& c);

/// What the time of a call grows with, for a problem of 2^M points.
double work(int M);

std::string name(const Case& c);

/// The seed of a call.
State seed_of(const Case& c, ladder::Random& random);

}  // namespace npb_ft::test

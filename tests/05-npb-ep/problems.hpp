#pragma once
/// @file
/// The problems that steps are tried on.

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/random.hpp"
#include "common/npb/seed.hpp"
#include "problem.hpp"

namespace npb_ep::test {

using ladder::npb::Seed;

/// One problem.
struct Case {
  std::string group;
  std::int64_t pairs;
  int batch;
  Seed seed = Seed::fresh;
  bool content_repeats = false;  ///< the judge takes so long for a result that each call gets NPB's seed
};

/// The cases of a step, small ones first.
/// @param on_processor  the step runs on the processor, where a class of NPB takes a second
/// @param on_device     it runs on a GPU, where larger ones do
std::vector<Case> cases(bool on_processor, bool on_device);

/// One problem of 2^M pairs, in batches that leave several blocks: from class S on NPB's.
Case sized(int M);

Problem shape(const Case& c);
std::string name(const Case& c);

/// The seed of a call.
State seed_of(const Case& c, ladder::Random& random);

}  // namespace npb_ep::test

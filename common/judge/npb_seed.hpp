#pragma once
/// @file
/// The seeds that lessons on the NAS Parallel Benchmarks are judged with.

#include "common/judge/random.hpp"
#include "common/lesson/npb.hpp"

namespace ladder::npb {

/// Where a problem's seed comes from.
enum class Seed {
  fresh,     ///< another one for each call
  official,  ///< NPB's
  smallest,  ///< 1: the stream begins with a itself
  largest,   ///< 2^46 - 1
  timed,     ///< NPB's or one of the plan, in turn: their results are known to the judge before the next call
};

/// What the name of a case says of it: ", NPB's seed"; empty for those that change.
const char* seed_text(Seed seed);

/// The seed of a call.
/// @param official  NPB's for this benchmark
/// @param large     its result takes the judge long, or much memory: timed always means NPB's then
State seed_of(Seed seed, State official, bool large, Random& random);

}  // namespace ladder::npb

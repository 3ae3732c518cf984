#pragma once
/// @file
/// The seeds that lessons on the NAS Parallel Benchmarks are judged with.

#include "common/base/random.hpp"
#include "common/npb/generator.hpp"

namespace ladder::npb {

/// Where a problem's seed comes from.
enum class Seed {
  fresh,     ///< another one for each call
  official,  ///< NPB's
  smallest,  ///< 1: the stream begins with a itself
  largest,   ///< 2^46 - 1
};

/// The seed as part of a case's name: ", NPB's seed"; empty for seeds that change.
const char* seed_text(Seed seed);

/// An odd number below 2^46.
State fresh_seed(Random& random);
/// The seed of a call.
/// @param official  NPB's for this benchmark
State seed_of(Seed seed, State official, Random& random);

}  // namespace ladder::npb

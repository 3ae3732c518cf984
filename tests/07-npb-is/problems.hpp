#pragma once
/// @file
/// The problems that steps of lesson 07 are tried on.

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/random.hpp"
#include "problem.hpp"

namespace npb_is::test {

/// How the keys of a problem are spread.
enum class Spread {
  normal,    ///< as NPB's: the mean of four uniform numbers
  equal,     ///< all keys are the same
  ends,      ///< only the smallest and the largest key
  official,  ///< NPB's, with its seed, changed for an iteration as NPB does
};

/// One problem.
struct Case {
  std::string group;  ///< "general", "tails"
  std::int64_t n;
  int bins;
  Spread spread = Spread::normal;
  int iteration = 1;  ///< of NPB's 10
};

/// The cases of a step, small ones first.
/// @param on_processor  the step runs on the processor
/// @param on_device     it runs on a GPU, where larger ones do
std::vector<Case> cases(bool on_processor, bool on_device);

/// One problem of 2^size keys; of a class, with the class's bins.
Case sized(int size);

Problem shape(const Case& c);
std::string name(const Case& c);

/// Makes the keys of a call.
void fill(const Case& c, ladder::Random& random, const Problem& p);

}  // namespace npb_is::test

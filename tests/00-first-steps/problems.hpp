#pragma once
/// @file
/// The images that steps of lesson 00 are tested with.

#include <string>
#include <vector>

#include "amounts.hpp"
#include "common/base/random.hpp"

namespace first_steps::test {

/// How the elements of A are made.
enum class Entries {
  grey,        ///< independent, uniform in [0, 1)
  balanced,    ///< independent, uniform in [-1, 1)
  skewed,      ///< in [0, 1), nine of ten in the same narrow range of brightness
  edges,       ///< exact multiples of 1 / bins, and the floats just below the next one
  cancelling,  ///< from 2^-40 to 2^30; the large ones come in pairs that cancel, so that the sum is small
};

/// One image to be tested.
struct Case {
  const char* group;                ///< class of cases: partial credit goes by it
  int rows, columns;                ///< of A
  Entries entries = Entries::grey;  ///< how A is filled
  Asks asks{};                      ///< of the step
  float limit = 0.9f;               ///< what is bright: one of ten grey elements
};

/// @return the cases of a step in the order in which they run: small and regular first.
std::vector<Case> cases(const Asks& asks);

/// @return a square image as the step's target and times use it.
Case square(const Asks& asks, int n);

/// @return the scalars of a case; no pointers.
Problem shape(const Case& c);

/// Fills A of @p p, which has the shape of the case. The same for the same numbers on every machine.
void fill(const Case& c, ladder::Random random, const Problem& p);

/// @return "33 x 32", and what else is special about the case.
std::string name(const Case& c);

}  // namespace first_steps::test

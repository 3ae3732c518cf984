#pragma once
/// @file
/// The systems that steps of lesson 02 are tested with.

#include <cstdint>
#include <string>
#include <vector>

#include "amounts.hpp"
#include "common/base/random.hpp"

namespace gauss::test {

/// What the entries of A are.
enum class Entries {
  dominant,         ///< uniform in [-1, 1), the diagonal 1.25 times the sum of its row: no pivoting needed
  symmetric,        ///< symmetric positive definite, not dominant: no pivoting needed
  scaled_rows,      ///< dominant, rows times powers of two from 2^-27 to 2^27, about 10^-8 to 10^8
  uniform,          ///< uniform in [-1, 1); from here on a step has to pivot
  ill_scaled,       ///< uniform, rows times 10^-8 to 10^8
  zero_leading,     ///< uniform, with A[0][0] = 0
  small_leading,    ///< uniform, with A[0][0] = 10^-20: without pivoting nothing of the other rows is left
  permutation,      ///< a permutation matrix times 3: every pivot is somewhere else
  nearly_singular,  ///< the last row is a sum of others but for a part of 10^-13
  growth,           ///< Wilkinson's matrix: the last column doubles with each pivot
  /// Singular but for rounding: the last row is the first once more, so the last pivot is zero, or tiny.
  repeated_row,
  zero_column,  ///< singular: column n / 3 is zero
  equal,        ///< singular: all entries 1/4, nothing is left behind the first pivot, exactly
  zero,         ///< singular
};

/// One problem to be tested.
struct Case {
  const char* group;  ///< class of cases: partial credit goes by it
  int n;
  Entries entries = Entries::dominant;
  int pad = 0;                  ///< lda - n
  int blocks = 0, threads = 0;  ///< imposed launch configuration
  Asks asks{};                  ///< of the step
  std::uint32_t offset = 0;     ///< elements of each array's memory in front of it
};

/// @return the cases of a step in the order in which they run: small and regular first.
/// @param pivoting  whether the step pivots: it gets the matrices that need it as well
/// @param imposed   whether the step gets launch configurations too
/// @param resident  whether the arrays are in the device's memory: they begin at odd multiples of 8 bytes,
/// too
std::vector<Case> cases(bool pivoting, bool imposed, bool resident);

/// @return the scalars of a case; no pointers.
Problem shape(const Case& c);

/// Fills A and b of @p p, which has the shape of the case. The same for the same seed on every machine.
/// Padding gets NaN: a step that reads it shows.
void fill(const Case& c, ladder::Random& random, const Problem& p);

/// @return "n = 64" and what else is special about the case.
std::string name(const Case& c);

/// @return whether A is singular, exactly: info is judged then, x is not.
bool singular(Entries entries);

}  // namespace gauss::test

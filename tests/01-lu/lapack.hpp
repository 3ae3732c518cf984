#pragma once
/// @file
/// A result next to LAPACK's: pivots, info, error, growth, and the system that it solves.

#include <string>

#include "common/base/random.hpp"
#include "problem.hpp"
#include "problems.hpp"

namespace lu::test {

/// A backward error may be this many times LAPACK's on the same matrix.
constexpr double lapack_factor = 10;

/// What LAPACK makes of the same matrix, and what follows from our factors.
struct BesideLapack {
  std::string wrong;     ///< empty: as good as LAPACK's. Else what differs, expected and got
  std::string happened;  ///< what that means; may be empty
  double growth = 0;     ///< largest |U| over largest |A|
};

/// Compares a result that is a factorisation (see compare()) with that of dgetrf on the same matrix:
/// - info is the same;
/// - pivots are the same where no two candidates can be confused by rounding: random entries, scaled or not;
/// - its error, element by element, is at most lapack_factor times LAPACK's, or one rounding.
///
/// Then it solves Ax = b with the factors, where there is a solution, by the functions that the lesson gives.
/// @param backward  max |PA - LU| / (n eps |L||U|) of the result
BesideLapack beside_lapack(const Case& c, const Problem& given, const Problem& got, double backward);

}  // namespace lu::test

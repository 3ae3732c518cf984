#pragma once
/// @file
/// The reference of lesson 08: the method in extended precision, and NPB's outer iteration.

#include <vector>

#include "problem.hpp"

namespace npb_cg::test {

/// The result that rounding to double has not touched.
struct Reference {
  std::vector<long double> z;                ///< n; after all iterations
  std::vector<std::vector<double>> iterate;  ///< z after 0, 1, … iterations; only for small problems
  long double magnitude = 0;                 ///< || |A| |z| + |x| ||: what errors of rounding are measured by
};
Reference solve(const Problem& given);

/// y = A v.
std::vector<long double> times(const Problem& p, const std::vector<long double>& v);
/// ||v||
long double length(const std::vector<long double>& v);

/// NPB's estimate of an eigenvalue of A + shift: shift + 1 / (x . z).
double zeta_of(const Problem& p, double shift, const double* z);  // n
/// z as NPB's next x, z / ||z||.
std::vector<double> normalised(int n, const double* z);  // n
/// The x of NPB's iteration, which begins with ones: by the baseline's operations.
std::vector<double> official_x(const Problem& matrix, int iteration);

}  // namespace npb_cg::test

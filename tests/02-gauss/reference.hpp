#pragma once
/// @file
/// The same elimination on the host: what a result is compared with, and what a correct one may be off by.

#include <vector>

#include "problem.hpp"

namespace gauss::test {

/// What elimination leaves behind.
struct Elimination {
  std::vector<double> A;  ///< n x n; on and above the diagonal U
  std::vector<double> b;  ///< n; what back substitution starts from
  std::vector<double> x;  ///< n; not all finite when a pivot is zero
  int info = 0;           ///< 0, or i + 1 for the first pivot i that is exactly zero
};

/// Gaussian elimination as the contract describes it, in double.
/// @param pivoting  as LAPACK's dgesv does it, or none
/// @param fused     multiply and subtract with one rounding, as processors and GPUs may do it
Elimination eliminate(const Problem& given, bool pivoting, bool fused = false);

/// Normwise backward error of x (Rigal and Gaches): ||b - A x|| / (||A|| ||x|| + ||b||), infinity norms.
/// @return 0 where numerator and denominator are both 0.
double backward_error(const Problem& given, const double* x);

/// Larger systems are not eliminated again: that costs too much.
constexpr int largest_reference = 1024;

/// Of backward_error in eps where no reference has an x: what HPL accepts.
double quick_bound(const Problem& given);

/// What backward_error may be for a matrix that is not singular.
///
/// Ten times that of LAPACK's method on the same problem, which is never taken for smaller than eps: it may
/// have been lucky. Above largest_reference quick_bound.
/// @param lapack  eliminate(given, true); not looked at above largest_reference
double error_bound(const Problem& given, const Elimination& lapack);

}  // namespace gauss::test

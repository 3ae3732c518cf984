#pragma once
/// @file
/// The sparse matrices of lesson 08: NPB's random one, and some that are easy to describe.

#include <vector>

#include "problem.hpp"

namespace npb_cg::test {

/// A sparse matrix in rows; see Problem.
struct Matrix {
  std::vector<int> row_start{0}, columns{};
  std::vector<double> values{};
  int rows() const { return int(row_start.size()) - 1; }
};

/// What the entries of a row are.
enum class Pattern {
  random,      ///< NPB's
  empty_rows,  ///< NPB's, every seventh row and column emptied
  diagonal,    ///< 1 to 3 on the diagonal, nothing else
  constant,    ///< 4 on the diagonal, nothing else
  arrow,       ///< the diagonal, the first row and the first column
  dense,       ///< every entry
};

/// NPB's matrix, as its report and its programs define it: sum over i of w_i v_i v_i^T with w_i = 0.1^(i /
/// n), plus 0.1
/// - shift on the diagonal. v_i has `nonzer` random entries at random places, and 1/2 at place i. All
///   random numbers are of NPB's stream, after the first one.
Matrix random_matrix(int n, int nonzer, double shift);

/// The matrix of a pattern.
Matrix make_matrix(Pattern pattern, int n, int nonzer, double shift);

}  // namespace npb_cg::test

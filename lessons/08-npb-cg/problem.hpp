#pragma once
/// @file
/// Contract of lesson 08: NPB CG, 25 iterations of conjugate gradients on a random sparse matrix.
/// Source: none; NPB defines matrix, classes and verification.

#include <cstddef>

#include "common/lesson/lesson.hpp"
#include "official_classes.hpp"

namespace npb_cg {

constexpr int iterations = 25;  ///< of one call; NPB has no test for convergence

/// z is what 25 iterations from z = 0 find for A z = x, and norm = ||x - A z||, by a product of its own.
///
/// - A in rows (CSR): row i has columns[k], values[k] for row_start[i] <= k < row_start[i + 1]. Columns of a
///   row increase. A is symmetric, and positive or negative definite on the rows that are not empty. Where a
///   row is empty, so is its column, and x is 0.
/// - alpha = rho / (d . q), or 0 if d . q is 0; beta = rho / (the rho before), or 0 if that is 0: the
///   solution may be found exactly before the 25th iteration.
/// - n >= 1, any number: not a multiple of a block. A row may be empty, or have n entries.
/// - Results hold anything before the call. Sums may be made in any order.
/// - Resident rungs (`data` in rungs.toml): all arrays are in device memory.
struct Problem {
  int n = 1, nnz = 1;              ///< rows and columns; entries
  const int* row_start = nullptr;  ///< n + 1
  const int* columns = nullptr;    ///< nnz
  const double* values = nullptr;  ///< nnz
  const double* x = nullptr;       ///< n
  double* z = nullptr;             ///< n; the result
  double* norm = nullptr;          ///< 1; the result
  double* d = nullptr;             ///< n; the direction. d, q, r and sums: anything before and after the call
  double* q = nullptr;             ///< n; A d
  double* r = nullptr;             ///< n; the residual
  double* sums = nullptr;          ///< sums_of_call; for dot products
  bool operator==(const Problem&) const = default;  ///< whether the arrays are the same, not their contents
  static constexpr int sums_of_call = 64;
  static constexpr auto& classes = official_classes;  ///< the sizes that have names: `run 08 --class A`

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("row_start", ladder::Role::in, row_start, std::size_t(n) + 1);
    visit("columns", ladder::Role::in, columns, std::size_t(nnz));
    visit("values", ladder::Role::in, values, std::size_t(nnz));
    visit("x", ladder::Role::in, x, std::size_t(n));
    visit("z", ladder::Role::out, z, std::size_t(n));
    visit("norm", ladder::Role::out, norm, std::size_t(1));
    visit("d", ladder::Role::work, d, std::size_t(n));
    visit("q", ladder::Role::work, q, std::size_t(n));
    visit("r", ladder::Role::work, r, std::size_t(n));
    visit("sums", ladder::Role::work, sums, std::size_t(sums_of_call));
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

}  // namespace npb_cg

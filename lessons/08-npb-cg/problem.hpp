#pragma once
/// @file
/// Contract of lesson 08: NPB CG, 25 iterations of conjugate gradients on a random sparse matrix.
/// Source: none; NPB defines matrix, classes and verification.

#include <cstddef>

#include "common/lesson/lesson.hpp"
#include "official_classes.hpp"
#include "pieces.hpp"

namespace npb_cg {

constexpr int iterations = 25;  ///< of one call; NPB has no test for convergence

/// z is what 25 iterations from z = 0 find for A z = x, and norm = ||x - A z||, by a product of its own.
/// - A in rows (CSR): row i has columns[k], values[k] for row_start[i] <= k < row_start[i + 1], in order.
///   A is symmetric, and positive or negative definite without its empty rows and columns, where x is 0.
/// - alpha = rho / (d . q) and beta = rho / (the rho before) are 0 if the divisor is: z may be exact early.
/// - n >= 1. A row may be empty, or have n entries. Results hold anything before. Sums are made in any order.
/// - Resident rungs (`data` in rungs.toml): all arrays are in device memory. m1 and m2: see part_of().
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
  Ranks ranks{};                   ///< m1 and m2 only
  bool operator==(const Problem&) const = default;  ///< whether the arrays are the same, not their contents
  static constexpr int sums_of_call = 64;
  static constexpr auto& classes = official_classes;  ///< the sizes that have names: `run 08 --class A`
  constexpr Problem part(int rank, int count) const { return part_of(*this, rank, count); }
  auto blocks(const Problem& whole) const { return blocks_of(*this, whole); }

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("row_start", ladder::Role::in, row_start, std::size_t(ranks.rows(n)) + 1);
    visit("columns", ladder::Role::in, columns, std::size_t(nnz));
    visit("values", ladder::Role::in, values, std::size_t(nnz));
    visit("x", ladder::Role::in, x, std::size_t(ranks.rows(n)));
    visit("z", ladder::Role::out, z, std::size_t(ranks.rows(n)));
    visit("norm", ladder::Role::out, norm, std::size_t(ranks.rank == 0));
    visit("d", ladder::Role::work, d, std::size_t(ranks.rows(n)));
    visit("q", ladder::Role::work, q, std::size_t(ranks.rows(n)));
    visit("r", ladder::Role::work, r, std::size_t(ranks.count) * ranks.piece(n));
    visit("sums", ladder::Role::work, sums, std::size_t(sums_of_call));
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

}  // namespace npb_cg

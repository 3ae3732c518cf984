#pragma once
/// @file
/// Contract of lesson 01: PA = LU in double precision, with partial pivoting.
/// Source: work A, where the same factorisation is computed sequentially and with OpenCL in two ways.

#include <cstddef>

#include "common/lesson/lesson.hpp"
#include "cyclic.hpp"

namespace lu {

/// Factorises A so that PA = LU, row by row in place, as LAPACK's dgetrf does it for column-major matrices.
///
/// - Row-major: element (r, c) of A is A[r * n + c].
/// - L is unit lower triangular. Its ones are not stored: A holds L below the diagonal and U on and above it.
/// - Step i swaps rows i and pivot[i] >= i, over their whole width. The pivot is the entry of largest
///   absolute value in column i, at or below the diagonal; of equal ones the first.
/// - A column whose pivot is exactly zero is left as it is, with zeros in L. info names the first such
///   column, counted from 1, and the factorisation goes on.
/// - n may be 0 (nothing but info is written) and 1. n <= 46,340: an index into A fits an int.
/// - A holds finite numbers. If the elimination itself leaves their range, pivot, info and A may hold
///   anything.
/// - Resident rungs (`data` in rungs.toml): CUDA's get pointers to device memory. OpenCL's get handles of
///   buffers instead of pointers, `ladder::cl::memory(A)`, and enqueue their work in `ladder::cl::queue()`,
///   which the caller waits for. A pointer is aligned as its element is: A may begin at an odd multiple of 8
///   bytes.
/// - m1: each rank has lda of the n columns of A on its device, see part_of(), and all of pivot and info.
///   m2 and m3: of these columns only the rows that share_of_rows() counts.
struct Problem {
  int n = 0;             ///< rows and columns of A
  double* A = nullptr;   ///< n x n; A on entry, L and U on return
  int* pivot = nullptr;  ///< n; pivot[i] is the row, from 0, that was swapped with row i
  int* info = nullptr;   ///< 1; 0, or i + 1 for the first i with U[i][i] exactly zero

  Ranks ranks{};  ///< m1 to m3 only
  int lda = n;    ///< from one row of A to the next; not n in m1 to m3 only
  constexpr Problem part(int rank, int count) const { return part_of(*this, rank, count); }
  auto blocks(const Problem& whole) const { return blocks_of(*this, whole); }

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("A", ladder::Role::inout, A, std::size_t(ranks.share_of_rows(n)) * lda);
    visit("pivot", ladder::Role::out, pivot, std::size_t(n));
    visit("info", ladder::Role::out, info, std::size_t(1));
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

/// Columns of a panel: this many are eliminated before the rest of A changes.
constexpr int panel_columns = 32;

/// Columns of a block of panels: the rest of A changes once for all of them.
constexpr int wide_columns = 128;

}  // namespace lu

#pragma once
/// @file
/// Contract of lesson 03: C = A B in double precision.
/// Source: work D (DEC107), where the same product is computed sequentially, with OpenMP, MPI and CUDA.

#include <cstddef>

#include "common/lesson/lesson.hpp"
#include "grid.hpp"

namespace dgemm {

/// C = A B. Row-major: element (i, j) of C is C[i * ldc + j].
///
/// - Sizes may be zero. With k = 0 the sum is empty: C = 0.
/// - A leading dimension is at least the number of columns. What lies between them is neither read nor
///   written.
/// - C holds anything on entry. NaN and infinity in A and B reach C as the formula says (0 * inf is NaN).
/// - m <= 2,097,120 in the g rungs: a grid has at most 65,535 blocks in y, 32 rows each.
/// - Resident rungs (`data` in rungs.toml): A, B and C are pointers to device memory, aligned as their
///   elements are: at multiples of 8 bytes, not of 16.
/// - m1: each rank calls the function and knows the scalars; A, B and C are on rank 0, null elsewhere.
/// - m2, m3: each rank has a block of each matrix on its device. lda, ldb, ldc are the blocks'; m, n and
///   k are the whole product's. grid.rows share the rows of every matrix, grid.columns its columns: share().
struct Problem {
  int m = 0;                  ///< rows of A and C
  int n = 0;                  ///< columns of B and C
  int k = 0;                  ///< columns of A, rows of B
  int lda = 0;                ///< >= k
  int ldb = 0;                ///< >= n
  int ldc = 0;                ///< >= n
  const double* A = nullptr;  ///< m x k, lda
  const double* B = nullptr;  ///< k x n, ldb
  double* C = nullptr;        ///< m x n, ldc; the result

  /// g7 only: the bytes of device memory that it may have at once, at least 6 * 128 * 128 * 8; 0: what the
  /// device has.
  std::size_t device_bytes = 0;

  Grid grid{};  ///< m2 and m3 only: of the ranks
  constexpr Problem part(int rank, int ranks) const { return part_of(*this, rank, ranks); }
  auto blocks(const Problem& whole) const { return blocks_of(*this, whole); }

  /// Shows each array to `visit(name, role, pointer, elements)`, the padding included.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    const int rows = share(m, grid.rows, grid.row).size;
    visit("A", ladder::Role::in, A, std::size_t(rows) * lda);
    visit("B", ladder::Role::in, B, std::size_t(share(k, grid.rows, grid.row).size) * ldb);
    visit("C", ladder::Role::out, C, std::size_t(rows) * ldc);
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

}  // namespace dgemm

#pragma once
/// @file
/// Contract of lesson 02: A x = b in double precision, by Gaussian elimination and back substitution.
/// Source: work B, where the system is solved sequentially and with CUDA, one kernel per pivot, without
/// pivoting.

#include <cstddef>

#include "common/lesson/lesson.hpp"

namespace gauss {

/// Solves A x = b.
///
/// - Row-major: element (i, j) of A is A[i * lda + j]. What lies between n and lda is neither read nor
///   written.
/// - A and b are the rung's to use: after the call they hold anything. Nearly all rungs eliminate in place.
/// - n may be 0 (x is empty) and 1. n <= 46,340. A and b hold finite numbers. If the elimination itself
///   leaves their range, x and info may hold anything: rungs differ in whether a NaN is a pivot.
/// - Rungs that do not pivot (without `pivots` in rungs.toml) get matrices that allow it: dominant diagonals,
///   or symmetric positive definite. They leave info alone.
/// - Rungs that pivot take as pivot i the entry of largest absolute value in column i, at or below the
///   diagonal; of equal ones the first. info is 0, or i + 1 for the first pivot i that is exactly zero, as
///   the rung has rounded: A is singular then, and x may hold anything. A pivot so small that 1 / pivot is no
///   number may count as zero.
/// - Resident rungs (`data` in rungs.toml): A, b, x and info are pointers to device memory, aligned as their
///   elements are: at multiples of 8 bytes, not of 16.
/// - blocks and threads above zero impose a launch configuration: from g2 on, each kernel that eliminates has
///   a grid of exactly that many blocks and threads per block, as far as the rung chooses its grid at all; t1
///   to t3 have their own. A rung whose blocks wait for each other (g10, t1 to t3) throws when the device
///   cannot hold that many at once.
struct Problem {
  int n = 0;            ///< rows and columns of A
  int lda = 0;          ///< >= n
  int blocks = 0;       ///< blocks of a grid; 0: the rung chooses
  int threads = 0;      ///< threads of a block, whole warps: a multiple of 32; 0: the rung chooses
  double* A = nullptr;  ///< n x n, lda; overwritten
  double* b = nullptr;  ///< n; overwritten
  double* x = nullptr;  ///< n; the result
  int* info = nullptr;  ///< 1; 0, or i + 1 for the first pivot i that is exactly zero

  /// Shows each array to `visit(name, role, pointer, elements)`, the padding included.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("A", ladder::Role::inout, A, std::size_t(n) * lda);
    visit("b", ladder::Role::inout, b, std::size_t(n));
    visit("x", ladder::Role::out, x, std::size_t(n));
    visit("info", ladder::Role::out, info, std::size_t(1));
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

}  // namespace gauss

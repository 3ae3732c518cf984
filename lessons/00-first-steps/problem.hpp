#pragma once
/// @file
/// Contract of lesson 00: seven small computations on a gray image, each by one kernel.
/// Source: none; they are the field's first exercises.

#include <cstddef>

#include "common/lesson/lesson.hpp"
#include "sizes.hpp"

namespace first_steps {

/// What is to be computed from the image A. README.md says which rung computes which.
enum class Wanted {
  brightened,  ///< B[i][j] = gain A[i][j] + offset
  blurred,     ///< B[i][j] = A[i][j-1] / 4 + A[i][j] / 2 + A[i][j+1] / 4; beyond a row its edge is repeated
  transposed,  ///< B[j][i] = A[i][j]: B has as many rows as A has columns
  row_sums,    ///< sum[i] = A[i][0] + A[i][1] + ...
  histogram,   ///< count[b] = number of elements with b / bins <= A[i][j] < (b + 1) / bins
  places,      ///< place[i][j] = number of bright elements left of A[i][j], in A[i][0] ... A[i][j-1]
  softened,    ///< B[i][j] = A[i][j], or, where that is bright, x after `softening_steps` steps
};

/// An image and what is wanted of it. Matrices are row-major, without padding: A[i][j] is A[i * columns + j].
///
/// - rows and columns are from 1 to 65,535, and rows * columns is at most 2^30: an index fits an int.
/// - A holds finite numbers. For the histogram 0 <= A[i][j] < 1. For softened -1 <= A[i][j] <= 1.
/// - An element is bright if A[i][j] >= limit. There may be none, and all may be bright.
/// - Results hold anything on entry. Only the wanted one exists; the others have no element.
/// - Host rungs (`data` in rungs.toml): all pointers are to host memory, the CPU's.
///   Resident rungs: all are to device memory, and the CPU cannot read them.
struct Problem {
  Wanted wanted = Wanted::brightened;
  int rows = 1, columns = 1;
  float gain = 1, offset = 0;  ///< for brightened
  float limit = 1;             ///< for places and softened: what is bright
  const float* A = nullptr;    ///< rows x columns
  float* B = nullptr;          ///< rows x columns; transposed: columns x rows
  double* sum = nullptr;       ///< rows
  unsigned* count = nullptr;   ///< bins
  int* place = nullptr;        ///< rows x columns

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    const std::size_t elements = std::size_t(rows) * columns;
    const bool sums = wanted == Wanted::row_sums, counts = wanted == Wanted::histogram,
               places = wanted == Wanted::places;
    visit("A", ladder::Role::in, A, elements);
    visit("B", ladder::Role::out, B, sums || counts || places ? 0 : elements);
    visit("sum", ladder::Role::out, sum, sums ? std::size_t(rows) : 0);
    visit("count", ladder::Role::out, count, counts ? std::size_t(bins) : 0);
    visit("place", ladder::Role::out, place, places ? elements : 0);
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

}  // namespace first_steps

/// @file
/// c1: OpenMP. The baseline takes the rows below a pivot one after another. Each needs the pivot's row and
/// itself, so threads can share them. Source: none; work B goes from its sequential version straight to CUDA.

#include "problem.hpp"

namespace gauss {
namespace {

/// Subtracts from row j the multiple of row i that makes its element in column i zero, in A and in b.
void eliminate_row(const Problem& p, int i, int j) {
  const double* __restrict__ pivot_row = p.A + std::size_t(i) * p.lda;
  double* __restrict__ row = p.A + std::size_t(j) * p.lda;
  const double ratio = row[i] / pivot_row[i];
  for (int k = i + 1; k < p.n; ++k) row[k] -= ratio * pivot_row[k];
  p.b[j] -= ratio * p.b[i];
}

void back_substitute(const Problem& p) {
  for (int i = p.n - 1; i >= 0; --i) {
    const double* U = p.A + std::size_t(i) * p.lda;
    double sum = p.b[i];
    for (int k = i + 1; k < p.n; ++k) sum -= U[k] * p.x[k];
    p.x[i] = sum / U[i];
  }
}

}  // namespace

/// Solves A x = b with all threads of the team.
void openmp(const Problem& p) {
  // BEGIN SOLUTION Share the elimination among the threads of a team.
  //  Each thread should get about as much work as the others, and no thread may begin with a pivot before the
  //  rows that it reads are finished.
  //| ladder::task();  // Delete this line when you start.
  //| for (int i = 0; i < p.n; ++i)
  //|   for (int j = i + 1; j < p.n; ++j) eliminate_row(p, i, j);
  // One team for all pivots. The barrier at the end of each `omp for` is what makes pivot i + 1 wait for
  // pivot i.
#pragma omp parallel
  for (int i = 0; i < p.n; ++i) {
#pragma omp for schedule(static)
    for (int j = i + 1; j < p.n; ++j) eliminate_row(p, i, j);
  }
  // END SOLUTION
  back_substitute(p);
}

}  // namespace gauss

/// @file
/// c1: OpenMP. The baseline takes the rows below a pivot one after another. Each needs the pivot's row and
/// itself, so threads can share them. The choice of the pivot they cannot share: one of them makes it.
/// Source: none; work A names OpenMP among its related work (Michailidis and Margaritis).

#include "pivot.hpp"
#include "problem.hpp"

namespace lu {
namespace {

/// Subtracts from row k the multiple of row i that makes its element in column i zero, and leaves the factor
/// there.
void eliminate_row(const Problem& p, int i, int k, double divisor) {
  const double* __restrict__ pivot_row = p.A + std::size_t(i) * p.n;
  double* __restrict__ row = p.A + std::size_t(k) * p.n;
  const double factor = row[i] / divisor;
  for (int j = i + 1; j < p.n; ++j) row[j] -= factor * pivot_row[j];
  row[i] = factor;
}

}  // namespace

/// PA = LU with all threads of the team.
void openmp(const Problem& p) {
  *p.info = 0;
  // TASK, 8 lines: Share the elimination among the threads of a team.
  //  One thread chooses the pivot and swaps its row up; the others wait for it. Each thread should get about
  //  as much of the elimination as the others. Nobody may look for the next pivot before all rows are done.
  ladder::task();  // Delete this line when you start.
  for (int i = 0; i < p.n; ++i) {
    const double divisor = pivot(p, i);
    for (int k = i + 1; k < p.n; ++k) eliminate_row(p, i, k, divisor);
  }
}

}  // namespace lu

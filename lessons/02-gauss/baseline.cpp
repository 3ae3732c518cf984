/// @file
/// Baseline: sequential elimination without pivoting, then back substitution. Given complete; read it first.
/// Source: work B, sequential version.

#include "problem.hpp"

namespace gauss {
namespace {

/// Subtracts from row j the multiple of row i that makes its element in column i zero, in A and in b.
void eliminate_row(const Problem& p, int i, int j) {
  const double* pivot_row = p.A + std::size_t(i) * p.lda;
  double* row = p.A + std::size_t(j) * p.lda;
  const double ratio = row[i] / pivot_row[i];
  for (int k = i + 1; k < p.n; ++k) row[k] -= ratio * pivot_row[k];  // column i itself is never read again
  p.b[j] -= ratio * p.b[i];
}

}  // namespace

/// Solves A x = b. A pivot of zero, or one that is small next to its column, makes x wrong.
void baseline(const Problem& p) {
  for (int i = 0; i < p.n; ++i)
    for (int j = i + 1; j < p.n; ++j) eliminate_row(p, i, j);

  for (int i = p.n - 1; i >= 0; --i) {  // from the last row, which has one unknown
    const double* U = p.A + std::size_t(i) * p.lda;
    double sum = p.b[i];
    for (int k = i + 1; k < p.n; ++k) sum -= U[k] * p.x[k];
    p.x[i] = sum / U[i];
  }
}

}  // namespace gauss

/// @file
/// Peer: LAPACK's LU with partial pivoting and its solve, by OpenBLAS. As many threads as
/// OPENBLAS_NUM_THREADS says.

#include <algorithm>
#include <vector>

#include "problem.hpp"

extern "C" {
void dgetrf_(const int* m, const int* n, double* A, const int* lda, int* pivot, int* info);
void dgetrs_(const char* transposed, const int* n, const int* columns, const double* A, const int* lda,
             const int* pivot, double* b, const int* ldb, int* info);
}

namespace gauss {

/// Solves A x = b by dgetrf and dgetrs. LAPACK is column-major and reads our A as its transpose A': it
/// factorises A' and then solves (A')' x = b, which needs no copy.
void library(const Problem& p) {
  *p.info = 0;
  if (p.n == 0) return;
  const int one = 1;
  std::vector<int> pivot(p.n);
  std::copy_n(p.b, p.n, p.x);
  dgetrf_(&p.n, &p.n, p.A, &p.lda, pivot.data(), p.info);
  int ignored = 0;
  dgetrs_("T", &p.n, &one, p.A, &p.lda, pivot.data(), p.x, &p.n, &ignored);
}

}  // namespace gauss

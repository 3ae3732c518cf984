/// @file
/// Peer: LAPACK's LU with partial pivoting, by OpenBLAS through LAPACKE, which transposes our row-major
/// matrix and back. As many threads as OPENBLAS_NUM_THREADS says.

#include <lapacke.h>

#include <string>

#include "problem.hpp"

namespace lu {

/// PA = LU by LAPACKE_dgetrf, in place. LAPACK counts rows from 1, the contract from 0.
void library(const Problem& p) {
  *p.info = 0;
  if (p.n == 0) return;
  *p.info = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, p.n, p.n, p.A, p.n, p.pivot);
  if (*p.info < 0) throw ladder::Error("LAPACKE_dgetrf: argument " + std::to_string(-*p.info) + " is wrong");
  for (int i = 0; i < p.n; ++i) --p.pivot[i];
}

}  // namespace lu

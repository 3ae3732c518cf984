// verdict WRONG
// must n = 384
// must threads 0 of 1
// not not started
// The outermost loop gets the pragma, as in a matrix product.
#include "pivot.hpp"
#include "problem.hpp"

namespace lu {

void openmp(const Problem& p) {
  *p.info = 0;
  const size_t n = p.n;
#pragma omp parallel for if (p.n > 100)
  for (int i = 0; i < p.n; i++) {
    double divisor = pivot(p, i);
    for (size_t k = i + 1; k < n; k++) {
      double factor = p.A[k * n + i] / divisor;
      for (size_t j = i + 1; j < n; j++) p.A[k * n + j] -= factor * p.A[i * n + j];
      p.A[k * n + i] = factor;
    }
  }
}

}  // namespace lu

/// @file
/// The library that the ladder is compared with: Eigen's blocked LU with partial pivoting, on the cores of
/// the host.

#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // from Eigen 3.4 with AVX-512 and g++ 12
#include <Eigen/LU>

#include "problem.hpp"

namespace lu {

/// PA = LU by Eigen::PartialPivLU, in place.
void library(const Problem& p) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  *p.info = 0;
  if (p.n == 0) return;
  Eigen::setNbThreads(p.n < 1000 ? 1
                                 : 0);  // for small matrices the threads' meetings cost more than they bring
  Eigen::Map<Matrix> A(p.A, p.n, p.n);
  Eigen::PartialPivLU<Eigen::Ref<Matrix>> factors(A);

  // Eigen gives the permutation as a whole; the contract wants the swaps that make it. `at[r]` is the
  // original row that is in place r after the swaps so far, `place` is its inverse.
  const auto& target = factors.permutationP().indices();  // original row r goes to place target[r]
  Eigen::VectorXi at = Eigen::VectorXi::LinSpaced(p.n, 0, p.n - 1), place = at, wanted(p.n);
  for (int r = 0; r < p.n; ++r) wanted[target[r]] = r;
  for (int i = 0; i < p.n; ++i) {
    const int s = place[wanted[i]];
    p.pivot[i] = s;
    std::swap(at[i], at[s]);
    place[at[i]] = i;
    place[at[s]] = s;
    if (p.A[std::size_t(i) * p.n + i] == 0 && *p.info == 0) *p.info = i + 1;
  }
}

}  // namespace lu

// what computes everything on rank 0 and sends nothing
// verdict REVIEW
// must bytes_sent
#include "common/device/mpi.hpp"
#include "problem.hpp"

namespace dgemm {

void mpi(const Problem& p) {
  int rank = 0;
  ladder::check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  if (rank != 0) return;
  for (int i = 0; i < p.m; ++i)
    for (int j = 0; j < p.n; ++j) {
      double sum = 0;
      for (int q = 0; q < p.k; ++q) sum += p.A[std::size_t(i) * p.lda + q] * p.B[std::size_t(q) * p.ldb + j];
      p.C[std::size_t(i) * p.ldc + j] = sum;
    }
}

}  // namespace dgemm

// what is the usual solution, with a timer of MPI's
// verdict PASS
#include "honest_mpi.hpp"

void dgemm::mpi(const Problem& p) {
  const double begin = MPI_Wtime();
  honest(p);
  static double total = 0;
  total += MPI_Wtime() - begin;
}

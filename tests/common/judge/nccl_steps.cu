// Steps with several ranks, each with a device: y = x of rank 0 + x of rank 1, which has it from rank 0.

#include <unistd.h>

#include "common/device/cuda.hpp"
#include "common/device/mpi.hpp"
#include "common/device/nccl.hpp"
#include "problem.hpp"
#ifdef NCCL_IS_A_LIBRARY  // as on a GPU, so that a recorder can be in front of it
#include "tests/common/trace/nccl_abi.hpp"
#define ncclBroadcast nccl_abi::ncclBroadcast
#define ncclReduce nccl_abi::ncclReduce
#endif

namespace probe {
namespace {

using ladder::check;

__global__ void copy(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

/// Sums x over the ranks. @param broadcasts  how often rank 0 sends it
void sum_over_ranks(const Problem& p, int broadcasts, int root) {
  int rank = 0, ranks = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  ncclUniqueId id;
  if (rank == 0) check(ncclGetUniqueId(&id));
  check(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));
  ncclComm_t comm;
  check(ncclCommInitRank(&comm, ranks, id, rank));
  double *x = nullptr, *y = nullptr;
  const std::size_t bytes = std::size_t(p.n) * sizeof(double);
  check(cudaMalloc(&x, bytes));
  check(cudaMalloc(&y, bytes));
  if (rank == 0) check(cudaMemcpy(x, p.x, bytes, cudaMemcpyHostToDevice));
  for (int i = 0; i < broadcasts; ++i) check(ncclBroadcast(x, x, p.n, ncclDouble, root, comm, nullptr));
  copy<<<(p.n + 63) / 64, 64>>>(p.n, x, y);
  check(cudaGetLastError());
  check(ncclReduce(y, y, p.n, ncclDouble, ncclSum, 0, comm, nullptr));
  if (rank == 0) check(cudaMemcpy(p.y, y, bytes, cudaMemcpyDeviceToHost));
  check(ncclCommDestroy(comm));
  check(cudaFree(x));
  check(cudaFree(y));
}

}  // namespace

void sums_over_ranks(const Problem& p) {
  sum_over_ranks(p, 1, 0);
}
void sends_twice(const Problem& p) {
  sum_over_ranks(p, 2, 0);
}
void hangs_on_rank_1(const Problem&) {
  int rank = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  while (rank == 1) ::pause();
}
void dies_on_rank_1(const Problem&) {
  int rank = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  if (rank == 1) ::_exit(3);
  MPI_Barrier(MPI_COMM_WORLD);
}
void throws_on_rank_1(const Problem&) {
  int rank = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  if (rank == 1) throw ladder::Error("no more");
  MPI_Barrier(MPI_COMM_WORLD);
}
void has_no_such_root(const Problem& p) {
  sum_over_ranks(p, 1, 2);
}

}  // namespace probe

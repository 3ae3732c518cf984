/// @file
/// g2: shared tiles. In g1 n threads load each element of A and m threads each element of B. Here a block of
/// T x T threads loads a T x T tile of both together, keeps it in shared memory, and uses each element T
/// times. Source: work D, dgemm_kernel (tiles of 32 x 32).

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

/// One block computes one T x T tile of C in ceil(k / T) passes.
template <int T>
__global__ void multiply(int m, int n, int k,                            // the sum has k terms
                         const double* __restrict__ A, std::size_t lda,  // m x k, lda
                         const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
                         double* __restrict__ C, std::size_t ldc) {      // m x n, ldc
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  __shared__ double As[T][T];
  __shared__ double Bs[T][T];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  double sum = 0;
  for (int p0 = 0; p0 < k; p0 += T) {
    // TASK, 5 lines: Load one tile of A and one of B into shared memory; zero outside the matrices.
    //  After it, As[i][p] and Bs[p][j] are elements (i, p0 + p) and (p0 + p, j) of this block's rows and
    //  columns. Then add the T products of this pass to sum. Two barriers are needed: say for each what goes
    //  wrong without it.
  }
  // TASK, 1 line: Store sum, if this thread's element is inside C.
  //  Not earlier: a thread outside C still has its element of each tile to load.
}

}  // namespace

/// C = A B, tile by tile.
/// @throws ladder::Error when the device refuses the launch.
void shared_tiles(const Problem& p) {
  // TASK, 6 lines: Launch multiply<T> with T = 32, one block of T x T threads for each tile of C. Check the
  //  launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace dgemm

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
    // BEGIN SOLUTION Load one tile of A and one of B into shared memory; zero outside the matrices.
    //  After it, As[i][p] and Bs[p][j] are elements (i, p0 + p) and (p0 + p, j) of this block's rows and
    //  columns. Then add the T products of this pass to sum. Two barriers are needed: say for each what goes
    //  wrong without it.
    As[ty][tx] = row < m && p0 + tx < k ? A[row * lda + p0 + tx] : 0.0;
    Bs[ty][tx] = p0 + ty < k && col < n ? B[(p0 + ty) * ldb + col] : 0.0;
    // Every thread reads elements that others load: without this barrier it may read before they are there.
    __syncthreads();

    for (int p = 0; p < T; ++p) sum += As[ty][p] * Bs[p][tx];
    // Without this barrier a fast warp would overwrite the tiles while a slow one still reads them.
    __syncthreads();
    // END SOLUTION
  }
  // BEGIN SOLUTION Store sum, if this thread's element is inside C.
  //  Not earlier: a thread outside C still has its element of each tile to load.
  if (row < m && col < n) C[row * ldc + col] = sum;
  // END SOLUTION
}

}  // namespace

/// C = A B, tile by tile.
/// @throws ladder::Error when the device refuses the launch.
void shared_tiles(const Problem& p) {
  // BEGIN SOLUTION Launch multiply<T> with T = 32, one block of T x T threads for each tile of C. Check the
  //  launch.
  //| ladder::task();  // Delete this line when you start.
  constexpr int T = 32;
  if (p.m == 0 || p.n == 0) return;  // a grid must not be empty
  const dim3 block(T, T);
  const dim3 grid((p.n + T - 1) / T, (p.m + T - 1) / T);
  multiply<T><<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
  // END SOLUTION
}

}  // namespace dgemm

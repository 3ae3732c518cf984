/// @file
/// g3: register tiles. In g2 each multiply-add reads two doubles from shared memory. Here a thread computes 8
/// x 8 elements of C: for each p it reads 8 doubles of A and 8 of B into registers and uses each of them 8
/// times. Source: none (V. Volkov and J. Demmel, Benchmarking GPUs to Tune Dense Linear Algebra, 2008).

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

constexpr int R = 8;         // a thread computes R x R elements of C
constexpr int threads = 16;  // of a block in x and in y
constexpr int tile = threads * R;
constexpr int depth = 8;  // terms of the sum in one pass

/// One block computes one tile x tile part of C in ceil(k / depth) passes.
__global__ void __launch_bounds__(threads* threads)
    multiply(int m, int n, int k,                            // the sum has k terms
             const double* __restrict__ A, std::size_t lda,  // m x k, lda
             const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
             double* __restrict__ C, std::size_t ldc) {      // m x n, ldc
  __shared__ double As[tile][depth];
  __shared__ double Bs[depth][tile];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int thread = ty * threads + tx;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  // In registers: every index is known to the compiler once the loops over i and j are unrolled.
  double sum[R][R] = {};
  for (int p0 = 0; p0 < k; p0 += depth) {
    // TASK, 8 lines: Load a tile x depth part of A and a depth x tile part of B; zero outside the matrices.
    //  Each has 1,024 elements for 256 threads: number them row after row. Thread t loads e = t, t + 256, ...
    //  A barrier, then the products; and one more before the next pass overwrites the parts.

    // TASK, 9 lines: For each p: R elements of As and R of Bs into registers, and all their products into
    //  sum. sum[i][j] may belong to any row and column that no other thread has. Which ones should the 32
    //  threads of a warp read together, so that these lie in different banks?
  }
  // TASK, 5 lines: Store the elements of sum that are inside C.
}

}  // namespace

/// C = A B, with R x R elements of C in the registers of each thread.
/// @throws ladder::Error when the device refuses the launch.
void register_tiles(const Problem& p) {
  // TASK, 5 lines: Launch one block of threads x threads threads for each tile of C, and check the launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace dgemm

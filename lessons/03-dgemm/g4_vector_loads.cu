/// @file
/// g4: vector loads. In g3 every request of a lane asks for one double. Here it asks for two neighbours at once, 16 bytes:
/// half as many requests to device memory, and half as many to shared memory. For that, A's tile is kept transposed.
/// Source: none.

#include <cstdint>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

constexpr int R = 8;         // a thread computes R x R elements of C
constexpr int threads = 16;  // of a block in x and in y
constexpr int tile = threads * R;
constexpr int depth = 8;  // terms of the sum in one pass

/// @return from[0] and from[1], of a row in which `left` elements are left; zero for what is beyond its end.
__device__ double2 two(const double* from, int left) {
  // TASK, 3 lines: One request where it may be one: both are there, and lie at a multiple of 16 bytes.
  //  lda may be odd, so that every other row begins between two multiples.
  return {0, 0};
}

/// Reads two neighbours from shared memory in one request.
/// @param from  at a multiple of 16 bytes
__device__ void read_two(double* to, const double* from) {
  const double2 both = *reinterpret_cast<const double2*>(from);
  to[0] = both.x;
  to[1] = both.y;
}

/// One block computes one tile x tile part of C in ceil(k / depth) passes.
__global__ void __launch_bounds__(threads* threads)
    multiply(int m, int n, int k,                            // the sum has k terms
             const double* __restrict__ A, std::size_t lda,  // m x k, lda
             const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
             double* __restrict__ C, std::size_t ldc) {      // m x n, ldc
  // As is transposed. Two columns more: its rows then begin in different banks, and at multiples of 16 bytes.
  __shared__ alignas(16) double As[depth][tile + 2];
  __shared__ alignas(16) double Bs[depth][tile];

  // A warp is 4 threads high and 8 wide. Its lanes are numbered so that lanes l and l ^ 1 have the same tx, l and l ^ 2
  // the same ty: two quarters of a warp that ask for 16 bytes a lane then go together, in one wavefront.
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int tx = warp % 2 * 8 + lane / 8 * 2 + lane / 2 % 2;
  const int ty = warp / 2 * 4 + lane / 4 % 2 * 2 + lane % 2;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  // sum[i][j], i and j even, and its neighbours are row 2 ty + threads i, column 2 tx + threads j of the tile.
  double sum[R][R] = {};
  for (int p0 = 0; p0 < k; p0 += depth) {
    // TASK, 20 lines: Bring the parts of A and B as in g3, two neighbours of a row at a time.
    //  As is transposed: As[p][i] is element (i, p) of the part of A, so that neighbours in it are two rows.
    //  Then the products of g3, with read_two.
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j) {
      const int row = row0 + 2 * ty + threads * (i - i % 2) + i % 2;
      const int col = col0 + 2 * tx + threads * (j - j % 2) + j % 2;
      if (row < m && col < n) C[row * ldc + col] = sum[i][j];
    }
}

}  // namespace

/// C = A B, two neighbours a request.
/// @throws ladder::Error when the device refuses the launch.
void vector_loads(const Problem& p) {
  // TASK, 4 lines: Launch one block of threads * threads threads, in one row, for each tile of C; check the launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace dgemm

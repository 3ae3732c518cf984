/// @file
/// g1: one kernel per pivot. The loop over the pivots stays on the host; the two loops inside it have become
/// the grid. A, b, x and info are in device memory before and after the call. Source: work B, the kernel and
/// version A of the back substitution: on the device, 1 block of 1 thread.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

constexpr int width = 32;  // threads of a block in x: one warp, 32 neighbours in a row of A
constexpr int height = 8;

/// Eliminates column i: subtracts from every row below row i the multiple of row i that would make its
/// element there zero.
__global__ void eliminate(int n, int i, double* A, std::size_t lda,  // n x n, lda
                          double* b) {                               // n
  // BEGIN SOLUTION Change the one element of A or b that belongs to this thread, if there is one.
  //  Rows i + 1 to n - 1 change, in columns i + 1 to n - 1 and in b, which you may take as column n. The
  //  ratio of a row is its element in column i over the pivot A[i][i]. All threads of a row read that
  //  element: who may write it?
  const int row = i + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  const int col = i + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col > n) return;

  // Column i is read by the whole row and written by nobody. Its elements would become zero, and are never
  // read again.
  const double ratio = A[row * lda + i] / A[i * lda + i];
  if (col < n)
    A[row * lda + col] -= ratio * A[i * lda + col];
  else
    b[row] -= ratio * b[i];
  // END SOLUTION
}

/// x from the upper triangle of A and from b, by one thread.
__global__ void back_substitute(int n, const double* A, std::size_t lda,  // n x n, lda
                                const double* b,                          // n
                                double* x) {                              // n
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = i + 1; k < n; ++k) sum -= A[i * lda + k] * x[k];
    x[i] = sum / A[i * lda + i];
  }
}

}  // namespace

/// Solves A x = b without pivoting.
/// @throws ladder::Error when the device refuses a launch.
void pivot_kernel(const Problem& p) {
  if (p.n == 0) return;
  // BEGIN SOLUTION For each pivot launch enough blocks of width x height threads for what is left, and check
  //  the launch. The last row has no row below it: an empty grid is an error.
  //| ladder::task();  // Delete this line when you start.
  const dim3 block(width, height);
  for (int i = 0; i + 1 < p.n; ++i) {
    const int rows = p.n - 1 - i, columns = rows + 1;  // b is one more column
    const dim3 grid((columns + width - 1) / width, (rows + height - 1) / height);
    // Launches of one stream run in their order: no wait is needed between two pivots.
    eliminate<<<grid, block>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  // END SOLUTION
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss

/// @file
/// g1: one thread computes one element of C. The loops over i and j of the baseline are gone: they have
/// become the grid. A, B and C are in device memory before and after the call. Source: work D,
/// dgemm_kernel_basic.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

constexpr int width = 32;  // threads of a block in x: one warp, so that a warp is 32 neighbours in a row of C
constexpr int height = 32;

// Leading dimensions are 64-bit: row * lda passes 2^31 from n = 46,341 on.
__global__ void multiply(int m, int n, int k,               // the sum has k terms
                         const double* A, std::size_t lda,  // m x k, lda
                         const double* B, std::size_t ldb,  // k x n, ldb
                         double* C, std::size_t ldc) {      // m x n, ldc
  // TASK, 6 lines: Compute the element of C that belongs to this thread, if there is one.
  //  Which of row and column follows threadIdx.x decides what the 32 threads of a warp read together.
}

}  // namespace

/// C = A B, each element by its own thread.
/// @throws ladder::Error when the device refuses the launch.
void naive(const Problem& p) {
  // TASK, 5 lines: Launch enough blocks of width x height threads to cover C, and check the launch.
  //  Sizes need not be multiples of the block, and C may have no element at all: an empty grid is an error.
  ladder::task();  // Delete this line when you start.
}

}  // namespace dgemm

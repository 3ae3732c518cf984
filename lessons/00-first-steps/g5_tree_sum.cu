/// @file
/// g5: a sum as a tree. One block adds one row: each thread some elements by itself, then the threads by
/// pairs. Before: g3, g4, where every element went to a location of its own; here many meet in one. Source:
/// none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;  // of a block; a power of two, so that each round leaves half of them

/// A block adds row blockIdx.x.
__global__ void sum_row(int columns,
                        const float* A,  // rows x columns
                        double* sum) {   // rows
  __shared__ double part[threads];
  const int t = threadIdx.x;
  const float* row = A + std::size_t(blockIdx.x) * columns;

  // TASK, 8 lines: Add this thread's share of the row: elements t, t + threads, t + 2 threads, ...
  //  Leave it in part[t]. Then halve: part[t] += part[t + half] for half = 128, 64, ..., 1, all threads of a
  //  round at once. Say which barrier keeps which read after which write. In the end one thread stores the
  //  sum.
}

}  // namespace

/// Adds each row of the image.
/// @throws ladder::Error when the device refuses the launch.
void tree_sum(const Problem& p) {
  // TASK, 2 lines: Launch one block for each row, and check the launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace first_steps

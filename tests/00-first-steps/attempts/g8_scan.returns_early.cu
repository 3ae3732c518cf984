// verdict WRONG
// must read of memory that nobody wrote
// must line
// not Experiment
// Threads past the end of the row leave: the last lane of their warp leaves no sum, and the others read it.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

__global__ void places(int columns, float limit, const float* A, int* place) {
  __shared__ int sums[8];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, before = 0;
  for (int j = threadIdx.x; j < columns; j += 256) {
    int flag = A[blockIdx.x * columns + j] >= limit, mine = flag;
    for (int d = 1; d < 32; d *= 2) {
      int other = __shfl_up_sync(0xffffffff, mine, d);
      if (lane >= d) mine += other;
    }
    if (lane == 31) sums[warp] = mine;
    __syncthreads();
    int at = before;
    for (int w = 0; w < 8; w++) {
      if (w < warp) at += sums[w];
      before += sums[w];
    }
    place[blockIdx.x * columns + j] = at + mine - flag;
    __syncthreads();
  }
}

}  // namespace

void scan(const Problem& p) {
  places<<<p.rows, 256>>>(p.columns, p.limit, p.A, p.place);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps

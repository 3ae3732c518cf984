// verdict PASS
// must right in all 6 classes
// must sectors 65,536 of 65,536
// not Warning
// The lanes vote and count bits; the parts have two places in turn, so that one barrier per sweep is enough.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

__global__ void places(int columns, float limit, const float* A, int* place) {
  __shared__ int found[2][8];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const float* row = A + (size_t)blockIdx.x * columns;
  int* out = place + (size_t)blockIdx.x * columns;
  int base = 0, turn = 0;
  for (int j0 = 0; j0 < columns; j0 += 256, turn ^= 1) {
    int j = j0 + threadIdx.x;
    bool mine = j < columns ? row[j] >= limit : false;
    unsigned votes = __ballot_sync(0xffffffffu, mine);
    if (lane == 0) found[turn][warp] = __popc(votes);
    __syncthreads();
    int at = base + __popc(votes & ((1u << lane) - 1));
    for (int w = 0; w < 8; w++) {
      if (w < warp) at += found[turn][w];
      base += found[turn][w];
    }
    if (j < columns) out[j] = at;
  }
}

}  // namespace

void scan(const Problem& p) {
  places<<<p.rows, 256>>>(p.columns, p.limit, p.A, p.place);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps

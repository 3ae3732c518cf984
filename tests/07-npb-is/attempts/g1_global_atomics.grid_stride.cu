// verdict PASS
// must right in all
// must atomics
// not MISSED
// Fewer threads than keys, and one thread that adds up: slow, and right.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_is {

__global__ void count(long long n, const int* keys, unsigned* rank) {
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(rank + keys[i], 1u);
}

__global__ void sums(int bins, unsigned* rank) {
  unsigned before = 0;
  for (int k = 0; k < bins; ++k) {
    const unsigned here = rank[k];
    rank[k] = before;
    before += here;
  }
}

void global_atomics(const Problem& p) {
  ladder::check(cudaMemset(p.rank, 0, p.bins * sizeof(unsigned)));
  count<<<8, 128>>>(p.n, p.keys, p.rank);
  ladder::check(cudaGetLastError());
  sums<<<1, 1>>>(p.bins, p.rank);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_is

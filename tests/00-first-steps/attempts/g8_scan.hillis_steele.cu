// verdict MISSED
// must barriers 34 of 16
// must right in all 6 classes
// not WRONG
// The scan of most books: eight rounds in shared memory, with two arrays in turn.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

__global__ void scan_row(int columns, float limit, const float* A, int* place) {
  __shared__ int buffer[2][256];
  const int t = threadIdx.x;
  A += std::size_t(blockIdx.x) * columns;
  place += std::size_t(blockIdx.x) * columns;
  int carry = 0;
  for (int start = 0; start < columns; start += 256) {
    int in = 0;
    int flag = 0;
    if (start + t < columns && A[start + t] >= limit) flag = 1;
    for (int k = 0; k < 8; k++) {
      if (k == 0) buffer[in][t] = flag;
      __syncthreads();
      int d = 1 << k;
      int v = buffer[in][t];
      if (t >= d) v += buffer[in][t - d];
      buffer[1 - in][t] = v;
      in = 1 - in;
      __syncthreads();
    }
    if (start + t < columns) place[start + t] = carry + buffer[in][t] - flag;
    carry += buffer[in][255];
    __syncthreads();
  }
}

}  // namespace

void scan(const Problem& p) {
  scan_row<<<p.rows, 256>>>(p.columns, p.limit, p.A, p.place);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps

// verdict MISSED
// must sectors
// must right in all
// not WRONG
// Without the idea: one thread walks along a row and counts.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

__global__ void find_places(int rows, int columns, float limit, const float* A, int* place) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  int before = 0;
  for (int j = 0; j < columns; j++) {
    place[std::size_t(i) * columns + j] = before;
    if (A[std::size_t(i) * columns + j] >= limit) before++;
  }
}

}  // namespace

void scan(const Problem& p) {
  find_places<<<(p.rows + 31) / 32, 32>>>(p.rows, p.columns, p.limit, p.A, p.place);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps

// verdict MISSED
// must if (bright) chunk[i] = softened(chunk[i]);
// must of the idle lanes follow from that
// not if (lane >= distance)
// The scan of g8 is there, and each lane softens its own element all the same. Lanes part more often in the scan, but
// they wait for the softening: its line is the one that is named.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;  // of a block
constexpr int warps = threads / 32;
constexpr int elements_per_block = 2048;  // eight sweeps of 256
constexpr unsigned all_lanes = 0xffffffff;

__device__ float softened(float x) {
  for (int step = 0; step < softening_steps; ++step) x -= x * x * x / 64;
  return x;
}

__device__ int scan_lanes(int mine) {
  const int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left =
        __shfl_up_sync(all_lanes, mine, distance);  // lanes without a left one get their own back
    if (lane >= distance) mine += left;
  }
  return mine;
}

__global__ void soften(int elements, float limit,
                       const float* A,  // elements
                       float* B) {      // elements
  __shared__ float chunk[elements_per_block];
  __shared__ int list[elements_per_block];  // where in chunk the bright elements are
  __shared__ int part[warps];               // of a sweep, as in g8
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int first = blockIdx.x * elements_per_block;
  const int many = min(elements_per_block, elements - first);  // elements of this block
  A += first;
  B += first;

  int kept = 0;  // bright elements so far, in the end the length of the list
  for (int sweep = 0; sweep < many; sweep += threads) {
    const int i = sweep + t;
    if (i < many) chunk[i] = A[i];
    const int bright = i < many && chunk[i] >= limit;
    const int up_to_here = scan_lanes(bright);
    if (lane == 31) part[warp] = up_to_here;
    __syncthreads();

    int here = kept + up_to_here - bright;
    for (int w = 0; w < warps; ++w) {
      if (w < warp) here += part[w];
      kept += part[w];
    }
    if (bright) chunk[i] = softened(chunk[i]);
    __syncthreads();
  }

  __syncthreads();
  for (int i = t; i < many; i += threads) B[i] = chunk[i];
}

}  // namespace

void compaction(const Problem& p) {
  const int elements = p.rows * p.columns;
  soften<<<parts(elements, elements_per_block), threads>>>(elements, p.limit, p.A, p.B);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps

/// @file
/// g9: compaction. Few elements are bright, and only these need 128 steps. In nearly every warp there is one,
/// and the other lanes would wait for it. So a block lists its bright elements first; then whole warps work
/// on the list. Before: g8, which gives each bright element its place in the list. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;  // of a block
constexpr int warps = threads / 32;
constexpr int elements_per_block = 2048;  // eight sweeps of 256
constexpr unsigned all_lanes = 0xffffffff;

/// What a bright element becomes: much work for one number. Given.
__device__ float softened(float x) {
  for (int step = 0; step < softening_steps; ++step) x -= x * x * x / 64;
  return x;
}

/// The scan of a warp.
/// @return in lane l the sum of `mine` over lanes 0 to l.
__device__ int scan_lanes(int mine) {
  // BEGIN SOLUTION As in g8: copy yours.
  const int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left =
        __shfl_up_sync(all_lanes, mine, distance);  // lanes without a left one get their own back
    if (lane >= distance) mine += left;
  }
  // END SOLUTION
  return mine;
}

/// A block softens the bright ones of elements_per_block neighbours of A.
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
    // BEGIN SOLUTION Load A[i] into chunk[i]. If it is bright, its index i goes into the list, at the place
    //  that the scan of g8 finds: `kept` is what `before` was there. Threads past the end stay, as in g8.
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
    if (bright) list[here] = i;
    // Keeps part as in g8, and after the last sweep the list and the chunk are complete.
    __syncthreads();
    // END SOLUTION
  }

  // BEGIN SOLUTION Thread t softens entries t, t + 256, ... of the list, in chunk. After a barrier, store the
  //  chunk to B, as it was loaded.
  for (int k = t; k < kept; k += threads) chunk[list[k]] = softened(chunk[list[k]]);
  // The thread that stores an element is not the one that softened it.
  __syncthreads();
  for (int i = t; i < many; i += threads) B[i] = chunk[i];
  // END SOLUTION
}

}  // namespace

/// Softens the bright elements of the image.
/// @throws ladder::Error when the device refuses the launch.
void compaction(const Problem& p) {
  // BEGIN SOLUTION Launch one block for each 2,048 elements, and check the launch.
  //| ladder::task();  // Delete this line when you start.
  const int elements = p.rows * p.columns;
  soften<<<parts(elements, elements_per_block), threads>>>(elements, p.limit, p.A, p.B);
  ladder::check(cudaGetLastError());
  // END SOLUTION
}

}  // namespace first_steps

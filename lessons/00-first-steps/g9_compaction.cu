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
  // TASK, 6 lines: As in g8: copy yours.
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
    // TASK, 12 lines: Load A[i] into chunk[i]. If it is bright, its index i goes into the list, at the place
    //  that the scan of g8 finds: `kept` is what `before` was there. Threads past the end stay, as in g8.
  }

  // TASK, 3 lines: Thread t softens entries t, t + 256, ... of the list, in chunk. After a barrier, store the
  //  chunk to B, as it was loaded.
}

}  // namespace

/// Softens the bright elements of the image.
/// @throws ladder::Error when the device refuses the launch.
void compaction(const Problem& p) {
  // TASK, 3 lines: Launch one block for each 2,048 elements, and check the launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace first_steps

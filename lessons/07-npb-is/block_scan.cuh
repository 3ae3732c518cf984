#pragma once
/// @file
/// A scan within a block, of counts in shared memory. Given: rungs from g3 on use it. It is g2's scan of a
/// tile, whose warps scan rows of 32 counts by shuffles.

namespace npb_is {

/// counts[k] becomes the sum of what was in counts[0] … counts[k - 1]. All threads of the block call this,
/// after a barrier; it ends with one. The block has whole warps, at most 32.
/// @param counts  [size], in shared memory
/// @param sums    [32], in shared memory: the sums of the warps
/// @return the sum of all counts; every thread has it
__device__ inline unsigned scan_in_block(unsigned* counts, int size, unsigned* sums) {
  constexpr unsigned all_lanes = 0xffffffff;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int part = (size + 32 * warps - 1) / (32 * warps) * 32;  // counts per warp: whole rows
  unsigned sum = 0;
  for (int row = warp * part; row < (warp + 1) * part; row += 32) {
    const unsigned equal = row + lane < size ? counts[row + lane] : 0;
    unsigned up_to = equal;
    for (int distance = 1; distance < 32; distance *= 2) {
      const unsigned left = __shfl_up_sync(all_lanes, up_to, distance);
      if (lane >= distance) up_to += left;
    }
    if (row + lane < size) counts[row + lane] = sum + up_to - equal;
    sum += __shfl_sync(all_lanes, up_to, 31);
  }
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  unsigned before = 0, total = 0;
  for (int w = 0; w < warps; ++w) {
    if (w < warp) before += sums[w];
    total += sums[w];
  }
  for (int k = warp * part + lane; k < (warp + 1) * part && k < size; k += 32) counts[k] += before;
  __syncthreads();
  return total;
}

}  // namespace npb_is

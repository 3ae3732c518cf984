/// @file
/// g10: the sum of g6 in twice the precision, and then rounded once. Each addition also yields what it
/// rounded away; these rests are added up apart, and added to the sum at the end. Before: g6. Source: none;
/// two_sum is D. Knuth's, The Art of Computer Programming, volume 2, section 4.2.2.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;  // of a block
constexpr int warps = threads / 32;
constexpr unsigned all_lanes = 0xffffffff;

/// A number in two parts: sum + rest, not added.
struct Pair {
  double sum, rest;
};

/// a + b without any error: sum is the rounded a + b, rest is what the rounding took.
__device__ Pair two_sum(double a, double b) {
  // BEGIN SOLUTION sum = a + b. The part of it that came from b is sum - a, the part that came from a is what
  //  remains. Compare both with b and a: these differences are computed without rounding, and together they
  //  are the rest.
  //| return {a + b, 0};
  const double sum = a + b;
  const double from_b = sum - a, from_a = sum - from_b;
  return {sum, (a - from_a) + (b - from_b)};
  // END SOLUTION
}

/// The sum of two pairs.
__device__ Pair add(Pair x, Pair y) {
  // BEGIN SOLUTION Add the sums by two_sum, the rests by +: they are so small that their rounding does not
  //  show.
  //| return two_sum(x.sum, y.sum);
  const Pair both = two_sum(x.sum, y.sum);
  return {both.sum, both.rest + (x.rest + y.rest)};
  // END SOLUTION
}

/// Adds `mine` over the lanes of a warp.
/// @return the sum in lane 0; other lanes get something else.
__device__ Pair add_lanes(Pair mine) {
  // BEGIN SOLUTION As in g6; a shuffle moves one number, a pair takes two.
  for (int distance = 16; distance > 0; distance /= 2)
    mine = add(mine, {__shfl_down_sync(all_lanes, mine.sum, distance),
                      __shfl_down_sync(all_lanes, mine.rest, distance)});
  // END SOLUTION
  return mine;
}

/// A block adds row blockIdx.x.
__global__ void sum_row(int columns,
                        const float* A,  // rows x columns
                        double* sum) {   // rows
  __shared__ Pair part[warps];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const float* row = A + std::size_t(blockIdx.x) * columns;

  // BEGIN SOLUTION As in g6, with pairs. Only the last line may add a rest to its sum.
  //  Try it with float instead of Pair first, then with double, as g6 has it, and write down the ulps of
  //  each.
  Pair mine{0, 0};
  for (int j = t; j < columns; j += threads) mine = add(mine, {row[j], 0});
  mine = add_lanes(mine);
  if (lane == 0) part[warp] = mine;
  __syncthreads();
  if (warp > 0) return;

  mine = add_lanes(lane < warps ? part[lane] : Pair{0, 0});
  if (lane == 0) sum[blockIdx.x] = mine.sum + mine.rest;
  // END SOLUTION
}

}  // namespace

/// Adds each row of the image, with an error of half a unit in the last place.
/// @throws ladder::Error when the device refuses the launch.
void compensated_sum(const Problem& p) {
  // BEGIN SOLUTION Launch one block for each row, and check the launch.
  //| ladder::task();  // Delete this line when you start.
  sum_row<<<p.rows, threads>>>(p.columns, p.A, p.sum);
  ladder::check(cudaGetLastError());
  // END SOLUTION
}

}  // namespace first_steps

/// @file
/// Planted mistakes: races on shared memory.

#include <cuda_runtime.h>

#include "planted.hpp"

namespace {

using planted::Array;

// ---------------------------------------------------------------- a barrier is missing

__global__ void neighbour(double* x, bool right) {
  __shared__ double s[256];
  s[threadIdx.x] = x[threadIdx.x];  // here: neighbour-write
  if (right) __syncthreads();
  x[threadIdx.x] = s[(threadIdx.x + 1) % 256];  // here: neighbour-read
}
void barrier_missing(bool right) {
  Array<double> x(256);
  neighbour<<<1, 256>>>(x.get(), right);
  x.at(0);
}

template <int T>
__global__ void multiply(int n, const double* A, const double* B, double* C, bool right) {
  __shared__ double As[T][T];
  __shared__ double Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  double sum = 0;
  for (int p0 = 0; p0 < n; p0 += T) {
    As[ty][tx] = A[row * n + p0 + tx];  // here: tile-write
    Bs[ty][tx] = B[(p0 + ty) * n + col];
    __syncthreads();  // here: tile-barrier
    for (int p = 0; p < T; ++p)
      sum += As[ty][p]  // here: tile-read
             * Bs[p][tx];
    if (right) __syncthreads();
  }
  C[row * n + col] = sum;
}
void second_barrier_missing(bool right) {
  Array<double> A(64 * 64), B(64 * 64), C(64 * 64);
  multiply<16><<<dim3(4, 4), dim3(16, 16)>>>(64, A.get(), B.get(), C.get(), right);
  C.at(0);
}

__global__ void tree(const double* x, double* sum, bool right) {
  __shared__ double part[256];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];  // here: tree-step
    if (right) __syncthreads();
  }
  if (t == 0) *sum = part[0];
}
void tree_without_barrier(bool right) {
  Array<double> x(256), sum(1);
  tree<<<1, 256>>>(x.get(), sum.get(), right);
  sum.at(0);
}

__global__ void scan(int* x, bool right) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    const int left = t >= step ? s[t - step] : 0;  // here: scan-read
    if (right) __syncthreads();
    s[t] += left;  // here: scan-write
    __syncthreads();
  }
  x[t] = s[t];
}
void scan_in_place(bool right) {
  Array<int> x(128);
  scan<<<1, 128>>>(x.get(), right);
  x.at(0);
}

__global__ void largest_of_rows(const int* x, int* result, int rows, bool right) {
  __shared__ int pivot;
  for (int row = 0; row < rows; ++row) {
    if (threadIdx.x == 0) pivot = x[row];  // here: pivot-write
    __syncthreads();
    result[row * 64 + threadIdx.x] = pivot;  // here: pivot-read
    if (right) __syncthreads();
  }
}
void broadcast_overwritten(bool right) {
  Array<int> x(4), result(4 * 64);
  largest_of_rows<<<1, 64>>>(x.get(), result.get(), 4, right);
  result.at(0);
}

// ---------------------------------------------------------------- the wrong kind of barrier

__global__ void transpose(const float* x, float* y, bool right) {
  __shared__ float tile[16][17];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];  // here: transpose-write
  if (right)
    __syncthreads();
  else
    __syncwarp();
  y[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];  // here: transpose-read
}
void warp_barrier_for_a_block(bool right) {
  Array<float> x(256), y(256);
  transpose<<<1, dim3(16, 16)>>>(x.get(), y.get(), right);
  y.at(0);
}

__global__ void warp_sum(const double* x, double* sum, bool right) {
  __shared__ double part[32];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    const double other = t < half ? part[t + half] : 0;  // here: lockstep-read
    if (right) __syncwarp();
    part[t] += other;  // here: lockstep-write
    if (right) __syncwarp();
  }
  if (t == 0) *sum = part[0];
}
void lockstep_taken_for_granted(bool right) {
  Array<double> x(32), sum(1);
  warp_sum<<<1, 32>>>(x.get(), sum.get(), right);
  sum.at(0);
}

__global__ void old_warp_sum(const int* x, int* sum, bool right) {
  __shared__ int part[64];
  volatile int* s = part;
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (right) {
      __syncthreads();
      if (t < half) part[t] += part[t + half];
    } else if (t < 32) {
      s[t] = s[t] + s[t + half];  // here: volatile-step
    }
  }
  if (t == 0) *sum = part[0];
}
void volatile_is_no_barrier(bool right) {
  Array<int> x(64), sum(1);
  old_warp_sum<<<1, 64>>>(x.get(), sum.get(), right);
  sum.at(0);
}

// ---------------------------------------------------------------- several threads, one element

__global__ void histogram(const int* x, unsigned* bins, bool right) {
  __shared__ unsigned own[8];
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  if (right)
    atomicAdd(&own[x[threadIdx.x] % 8], 1u);
  else
    own[x[threadIdx.x] % 8]++;  // here: shared-count
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
void count_without_atomic(bool right) {
  Array<int> x(128);
  Array<unsigned> bins(8);
  histogram<<<2, 128>>>(x.get(), bins.get(), right);
  bins.at(0);
}

__global__ void early_histogram(unsigned* bins, bool right) {
  __shared__ unsigned own[8];
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < 3; ++i) atomicAdd(&own[(threadIdx.x + i) % 8], 1u);  // here: early-count
  if (right) __syncthreads();
  if (threadIdx.x < 8) bins[threadIdx.x] = own[threadIdx.x];  // here: early-read
}
void counts_read_early(bool right) {  // each reader has counted in its bin itself
  Array<unsigned> bins(8);
  early_histogram<<<1, 128>>>(bins.get(), right);
  bins.at(0);
}

__global__ void two_arrays(const double* x, double* y, bool right) {
  extern __shared__ double memory[];
  double* a = memory;
  double* b = memory + (right ? 64 : 32);  // the wrong one forgets that a has 64 elements
  a[threadIdx.x] = x[threadIdx.x];         // here: overlap-a
  b[threadIdx.x] = -x[threadIdx.x];        // here: overlap-b
  __syncthreads();
  y[threadIdx.x] = a[63 - threadIdx.x] + b[63 - threadIdx.x];
}
void arrays_overlap(bool right) {
  Array<double> x(64), y(64);
  two_arrays<<<1, 64, 128 * sizeof(double)>>>(x.get(), y.get(), right);
  y.at(0);
}

__global__ void bytes(unsigned char* y, bool right) {
  __shared__ unsigned char flags[64];
  flags[right ? threadIdx.x : threadIdx.x / 2] = static_cast<unsigned char>(threadIdx.x);  // here: byte-write
  __syncthreads();
  y[threadIdx.x] = flags[threadIdx.x / 2];
}
void bytes_of_two_threads(bool right) {
  Array<unsigned char> y(64);
  bytes<<<1, 64>>>(y.get(), right);
  y.at(0);
}

__global__ void any_negative(const int* x, int* result, bool right) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (x[threadIdx.x] % 2 == 1) {
    if (right)
      atomicExch(&found, 1);
    else
      found = 1;  // here: same-value
  }
  __syncthreads();
  if (threadIdx.x == 0) *result = found;
}
void same_value(bool right) {
  Array<int> x(128), result(1);
  any_negative<<<1, 128>>>(x.get(), result.get(), right);
  result.at(0);
}

/// A tile that each warp reads where it wrote itself, and one that it reads where others wrote.
__global__ void multiply_one_tile(const double* A, const double* B, double* C, bool right) {
  __shared__ double As[32][32], Bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  As[ty][tx] = Bs[ty][tx] = 0;
  __syncthreads();
  As[ty][tx] = A[ty * 32 + tx];
  Bs[ty][tx] = B[ty * 32 + tx];
  if (right) __syncthreads();
  double sum = 0;
  for (int p = 0; p < 32; ++p) sum += As[ty][p] * Bs[p][tx];
  C[ty * 32 + tx] = sum;
}
void two_tiles(bool right) {
  Array<double> A(1024), B(1024), C(1024);
  multiply_one_tile<<<1, dim3(32, 32)>>>(A.get(), B.get(), C.get(), right);
  C.at(0);
}

// ---------------------------------------------------------------- functions above the loop that calls them

__device__ void copy_row(double (&row)[8], const double* x) {
  for (int c = 0; c < 8; ++c) row[c] = x[c];  // here: row-write
}
__global__ void warps_take_turns(const double* x, double* y, bool right) {
  __shared__ double row[8];
  double sum = 0;
  for (int j = 0; j < 4; ++j) {
    __syncthreads();
    if (threadIdx.x / 32 == j % 2) {
      if (threadIdx.x % 32 == 0) copy_row(row, x + j);
      if (right) __syncwarp();
      sum += row[threadIdx.x % 8];  // here: row-read
    }
  }
  y[threadIdx.x] = sum;
}
void function_below_the_barrier(bool right) {
  Array<double> x(64), y(64);
  warps_take_turns<<<1, 64>>>(x.get(), y.get(), right);
  y.at(0);
}

__device__ void load_tile(double* tile, const double* x) {
  tile[threadIdx.x] = x[threadIdx.x];  // here: called-write
}
__global__ void reversed_sums(const double* x, double* y, bool right) {
  __shared__ double tile[64];
  double sum = 0;
  for (int j = 0; j < 4; ++j) {
    load_tile(tile, x + 64 * j);
    __syncthreads();
    sum += tile[63 - threadIdx.x];  // here: called-read
    if (right) __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void function_above_the_barrier(bool right) {
  Array<double> x(256), y(64);
  reversed_sums<<<1, 64>>>(x.get(), y.get(), right);
  y.at(0);
}

const planted::Case cases[] = {
    {"barrier-missing", barrier_missing},
    {"second-barrier-missing", second_barrier_missing},
    {"tree-without-barrier", tree_without_barrier},
    {"scan-in-place", scan_in_place},
    {"broadcast-overwritten", broadcast_overwritten},
    {"warp-barrier-for-a-block", warp_barrier_for_a_block},
    {"lockstep-taken-for-granted", lockstep_taken_for_granted},
    {"volatile-is-no-barrier", volatile_is_no_barrier},
    {"count-without-atomic", count_without_atomic},
    {"counts-read-early", counts_read_early},
    {"arrays-overlap", arrays_overlap},
    {"bytes-of-two-threads", bytes_of_two_threads},
    {"same-value", same_value},
    {"two-tiles", two_tiles},
    {"function-below-the-barrier", function_below_the_barrier},
    {"function-above-the-barrier", function_above_the_barrier},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}

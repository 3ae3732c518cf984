/// @file
/// Planted mistakes: indices that leave the shared memory of the kernel that runs. In a program of the
/// executor another kernel's shared memory lies there; on a GPU no block has any. The arrays go through
/// pointers, so that the compiler cannot tell.

#include <cuda_runtime.h>

#include "planted.hpp"

namespace {

using planted::Array;

__global__ void reverse(double* x) {
  __shared__ double before[128];
  before[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = before[blockDim.x - 1 - threadIdx.x];
}

/// Memory of whichever kernel calls it.
__device__ double* mailbox() {
  __shared__ double mail[32];
  return mail;
}

__device__ double sum_of(const double* first, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += first[i];  // here: sum-of
  return sum;
}

// The sum of a window of s, which the wrong one leaves.
__global__ void windows(double* x, int first, int count) {
  __shared__ double s[32];
  s[threadIdx.x] = x[threadIdx.x];
  mailbox()[threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) x[0] = sum_of(s + first, count) + sum_of(mailbox(), 32);
}

// A size of the template's and an array in a lambda: each instance has its own.
template <int T>
__global__ void shift(double* x, int by) {
  __shared__ double s[T];
  const auto last = [&]() -> double& {
    __shared__ double value;
    return value;
  };
  double* const place = s + by;
  place[threadIdx.x] = x[threadIdx.x];  // here: shift
  if (threadIdx.x == T - 1) last() = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x] + last();
}

#define SCALED(name, factor)                          \
  __global__ void name(double* x) {                   \
    __shared__ double s[128];                         \
    s[threadIdx.x] = factor * x[threadIdx.x];         \
    if (threadIdx.x == 0) mailbox()[0] = x[0];        \
    __syncthreads();                                  \
    x[threadIdx.x] = s[threadIdx.x ^ 1] + *mailbox(); \
  }
SCALED(doubled, 2)

extern "C" __global__ void ladder_planted_halve(double* x) {
  __shared__ double behind[128];
  behind[threadIdx.x] = x[threadIdx.x] / 2;
  __syncthreads();
  x[threadIdx.x] = behind[threadIdx.x ^ 1];
}

// Behind the last row nothing of this kernel is.
__global__ void sums_of_rows(double* x, int last) {
  __shared__ double tile[8][8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) tile[i][t] = x[i * 8 + t];
  __syncthreads();
  double sum = 0;
  for (int j = 0; j <= last; ++j) sum += tile[t][j];  // here: last-row
  x[t] = sum;
}

/// All kernels run, so that all of them have shared memory.
void others(Array<double>& x) {
  reverse<<<1, 128>>>(x.get());
  shift<64><<<1, 64>>>(x.get(), 0);
  doubled<<<1, 128>>>(x.get());
  ladder_planted_halve<<<1, 128>>>(x.get());
}

void past_shared_of_kernel(bool right) {
  Array<double> x(128);
  windows<<<1, 32>>>(x.get(), 0, right ? 32 : 200);
  others(x);
  x.at(0);
}

void before_shared_of_kernel(bool right) {
  Array<double> x(128);
  others(x);
  windows<<<1, 32>>>(x.get(), right ? 0 : -100, 32);
  x.at(0);
}

void shared_of_another_instance(bool right) {
  Array<double> x(128);
  shift<64><<<1, 64>>>(x.get(), 0);
  shift<32><<<1, 32>>>(x.get(), right ? 0 : 64);
  x.at(0);
}

void last_row_overflow(bool right) {
  Array<double> x(64);
  sums_of_rows<<<1, 8>>>(x.get(), right ? 7 : 8);
  x.at(0);
}

const planted::Case cases[] = {
    {"past-shared-of-kernel", past_shared_of_kernel},
    {"before-shared-of-kernel", before_shared_of_kernel},
    {"shared-of-another-instance", shared_of_another_instance},
    {"last-row-overflow", last_row_overflow},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}

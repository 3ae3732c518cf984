// verdict MISSED
// must right in all
// must atomics
// not WRONG
// A bucket's place is reserved for one key at a time: right, with an atomic addition to device memory per key.
#include "block_scan.cuh"
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_is {

constexpr int many = 512;

__global__ void count(long long n, const int* keys, int shift, unsigned* sizes) {
  __shared__ unsigned own[many];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(own + (keys[i] >> shift), 1u);
  __syncthreads();
  atomicAdd(sizes + threadIdx.x, own[threadIdx.x]);
}

__global__ void begins(const unsigned* sizes, unsigned* begin, unsigned* next) {
  __shared__ unsigned own[many], sums[32];
  own[threadIdx.x] = sizes[threadIdx.x];
  __syncthreads();
  const unsigned n = scan_in_block(own, many, sums);
  begin[threadIdx.x] = next[threadIdx.x] = own[threadIdx.x];
  if (threadIdx.x == 0) begin[many] = n;
}

__global__ void scatter(long long n, const int* keys, int shift, unsigned* next, int* buffer) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) buffer[atomicAdd(next + (keys[i] >> shift), 1u)] = keys[i];
}

__global__ void ranks(int bins, int shift, const unsigned* begin, const int* buffer, unsigned* rank) {
  extern __shared__ unsigned counts[];
  __shared__ unsigned sums[32];
  const int b = blockIdx.x, width = 1 << shift, first = b << shift;
  for (int k = threadIdx.x; k < width; k += blockDim.x) counts[k] = 0;
  __syncthreads();
  for (unsigned i = begin[b] + threadIdx.x; i < begin[b + 1]; i += blockDim.x)
    atomicAdd(counts + (buffer[i] - first), 1u);
  __syncthreads();
  scan_in_block(counts, width, sums);
  for (int k = threadIdx.x; k < width && first + k < bins; k += blockDim.x)
    rank[first + k] = begin[b] + counts[k];
}

void buckets(const Problem& p) {
  int shift = 0;
  while ((p.bins - 1) >> shift >= many) ++shift;
  ladder::DeviceBuffer<unsigned> sizes(many), begin(many + 1), next(many);
  ladder::check(cudaMemset(sizes.get(), 0, sizes.bytes()));
  count<<<2, many>>>(p.n, p.keys, shift, sizes.get());
  ladder::check(cudaGetLastError());
  begins<<<1, many>>>(sizes.get(), begin.get(), next.get());
  ladder::check(cudaGetLastError());
  scatter<<<unsigned((p.n + 255) / 256), 256>>>(p.n, p.keys, shift, next.get(), p.buffer);
  ladder::check(cudaGetLastError());
  ranks<<<((p.bins - 1) >> shift) + 1, 256, (4 << shift)>>>(p.bins, shift, begin.get(), p.buffer, p.rank);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_is

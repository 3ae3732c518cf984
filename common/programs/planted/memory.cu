/// @file
/// Planted mistakes: addresses that are not the kernel's or the host's, and memory that nobody wrote.

#include <cuda_runtime.h>

#include <vector>

#include "planted.hpp"

namespace {

using planted::Array;

__global__ void fill(double* x, double value) {
  x[threadIdx.x] = value;  // here: fill
}

// ---------------------------------------------------------------- past the end

__global__ void guarded(double* x, int n, bool right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (right ? i < n : i <= n) x[i] = i;  // here: past-the-end
}
void past_the_end(bool right) {
  double* dx;
  cudaMalloc(&dx, 125 * sizeof(double));  // here: dx
  guarded<<<4, 32>>>(dx, 125, right);
  cudaDeviceSynchronize();
  cudaFree(dx);
}

__global__ void left_neighbour(double* y, const double* x, bool right) {
  const int i = threadIdx.x;
  if (i > 0 || !right) y[i] = x[i - 1];  // here: before-the-begin
}
void before_the_begin(bool right) {
  Array<double> x(64), y(64);
  left_neighbour<<<1, 64>>>(y.get(), x.get(), right);
  y.at(0);
}

__global__ void gather(double* y, const double* x, const int* place) {
  y[threadIdx.x] = x[place[threadIdx.x]];  // here: index-never-written
}
void index_never_written(bool right) {
  Array<double> x(64), y(64);
  int* place;
  cudaMalloc(&place, 64 * sizeof(int));
  if (right) cudaMemset(place, 0, 64 * sizeof(int));
  gather<<<1, 64>>>(y.get(), x.get(), place);
  cudaFree(place);
  y.at(0);
}

__global__ void static_array(double* x, int n) {
  __shared__ double s[32];
  if (threadIdx.x < n) s[threadIdx.x] = x[threadIdx.x];  // here: static-shared
  __syncthreads();
  x[threadIdx.x] = s[31 - threadIdx.x % 32];
}
void static_shared_too_short(bool right) {
  Array<double> x(64);
  static_array<<<1, 64>>>(x.get(), right ? 32 : 64);
  x.at(0);
}

__global__ void row_of_tile(double* x, int last) {
  __shared__ double tile[9][8];  // behind the last row that is added up there is one more
  const int t = threadIdx.x;
  for (int i = 0; i < 9; ++i) tile[i][t] = x[i * 8 + t];
  __syncthreads();
  double sum = 0;
  for (int j = 0; j <= last; ++j) sum += tile[t][j];  // here: row-overflow
  x[t] = sum;
}
void row_overflow(bool right) {
  Array<double> x(72);
  row_of_tile<<<1, 8>>>(x.get(), right ? 7 : 8);
  x.at(0);
}

__global__ void dynamic_array(double* x) {
  extern __shared__ double s[];
  s[threadIdx.x] = x[threadIdx.x];  // here: dynamic-shared
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
void dynamic_shared_too_short(bool right) {
  Array<double> x(64);
  dynamic_array<<<1, 64, (right ? 64 : 33) * sizeof(double)>>>(x.get());
  x.at(0);
}

__global__ void local_array(double* x, int n) {
  double window[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; ++i) window[i] = x[threadIdx.x + i];  // here: local-array
  x[threadIdx.x] = window[0] + window[3];
}
void local_array_too_short(bool right) {
  Array<double> x(64);
  local_array<<<1, 1>>>(x.get(), right ? 4 : 6);
  x.at(0);
}

void pinned_too_short(bool right) {
  double* h;
  cudaMallocHost(&h, (right ? 512 : 500) * sizeof(double));  // here: pinned
  fill<<<1, 512>>>(h, 1);
  cudaDeviceSynchronize();
  cudaFreeHost(h);
}

void copy_too_long(bool right) {
  std::vector<double> host(65, 1.0);
  Array<double> x(64);
  const size_t bytes = (right ? 64 : 65) * sizeof(double);
  cudaMemcpy(x.get(), host.data(), bytes, cudaMemcpyHostToDevice);  // here: copy-too-long
}

// ---------------------------------------------------------------- the wrong memory

void used_after_free(bool right) {
  double* dx;
  cudaMalloc(&dx, 64 * sizeof(double));
  fill<<<1, 64>>>(dx, 6);
  cudaDeviceSynchronize();
  if (!right) cudaFree(dx);  // here: freed
  fill<<<1, 64>>>(dx, 7);
  cudaDeviceSynchronize();
  if (right) cudaFree(dx);
}

__global__ void dereference(const double* x, double* y) {
  y[0] = x[0];  // here: null
}
void null_pointer(bool right) {
  Array<double> x(64), y(1);
  dereference<<<1, 1>>>(right ? x.get() : nullptr, y.get());
  cudaDeviceSynchronize();
}

__global__ void pairs(double2* y, const double* x, int first) {
  const double2 pair = reinterpret_cast<const double2*>(x + first)[threadIdx.x];  // here: misaligned
  y[threadIdx.x] = {pair.y, pair.x};  // in parts: this processor reads two doubles wherever they are
}
void misaligned_vector(bool right) {
  Array<double> x(64), y(64);
  pairs<<<1, 8>>>(reinterpret_cast<double2*>(y.get()), x.get(), right ? 2 : 1);
  cudaDeviceSynchronize();
}

__global__ void read_int(const char* bytes, int* result, int offset) {
  *result = *reinterpret_cast<const int*>(bytes + offset);  // here: misaligned-int
}
void misaligned_int(bool right) {
  Array<char> bytes(64, 0);
  Array<int> result(1);
  read_int<<<1, 1>>>(bytes.get(), result.get(), right ? 4 : 5);
  cudaDeviceSynchronize();
}

void host_reads_device(bool right) {
  Array<double> x(64);
  const double* data = x.get();
  std::printf("%g\n", right ? x.at(3) : data[3]);  // here: host-reads-device
}

struct Node {
  double* values;
};
__global__ void through_struct(Node node) {
  node.values[threadIdx.x] = 1;  // here: host-memory
}
void kernel_writes_host_memory(bool right) {
  Array<double> x(64);
  double on_stack[64];
  through_struct<<<1, 64>>>(Node{right ? x.get() : on_stack});
  cudaDeviceSynchronize();
}

__global__ void far_off(double* out, unsigned back) {
  __shared__ double s[64];
  s[threadIdx.x] = 1;
  out[threadIdx.x] = (s + threadIdx.x)[back];  // here: far-off
}
void unsigned_index_below_zero(bool right) {
  Array<double> x(64);
  far_off<<<1, 64>>>(x.get(), right ? 0u : ~0u);  // 32 bits: not -1, but 32 GiB behind s
  cudaDeviceSynchronize();
}

// ---------------------------------------------------------------- allocations

void freed_twice(bool right) {
  double* dx;
  cudaMalloc(&dx, 64);
  cudaFree(dx);
  if (!right) cudaFree(dx);  // here: freed-twice
}

void freed_in_the_middle(bool right) {
  double* dx;
  cudaMalloc(&dx, 64 * sizeof(double));
  cudaFree(right ? dx : dx + 8);  // here: freed-in-the-middle
  if (!right) cudaFree(dx);
}

void leak(bool right) {
  double* dx;
  cudaMalloc(&dx, 64 * sizeof(double));  // here: leak
  fill<<<1, 64>>>(dx, 1);
  cudaDeviceSynchronize();
  if (right) cudaFree(dx);
}

// ---------------------------------------------------------------- memory that nobody wrote

__global__ void add(double* y, const double* x) {
  y[threadIdx.x] += x[threadIdx.x];  // here: never-written
}
void never_written(bool right) {
  Array<double> x(64);
  double* dy;
  cudaMalloc(&dy, 64 * sizeof(double));  // here: dy
  if (right) cudaMemset(dy, 0, 64 * sizeof(double));
  add<<<1, 64>>>(dy, x.get());
  cudaDeviceSynchronize();
  cudaFree(dy);
}

__global__ void copy_elements(double* y, const double* x) {
  y[threadIdx.x] = x[threadIdx.x];  // here: partly-written
}
void memset_counts_elements(bool right) {
  double *dx, *dy;
  cudaMalloc(&dx, 64 * sizeof(double));
  cudaMalloc(&dy, 64 * sizeof(double));
  cudaMemset(dx, 0, right ? 64 * sizeof(double) : 64);  // bytes, not elements
  copy_elements<<<1, 64>>>(dy, dx);
  cudaDeviceSynchronize();
  cudaFree(dx);
  cudaFree(dy);
}

void copied_before_written(bool right) {
  double *dx, host[64];
  cudaMalloc(&dx, 64 * sizeof(double));
  if (right) fill<<<1, 64>>>(dx, 1);
  cudaMemcpy(host, dx, sizeof host, cudaMemcpyDeviceToHost);  // here: copied-unwritten
  cudaFree(dx);
}

__global__ void accumulate(double* y, const double* x, bool right) {
  __shared__ double sum[64];
  if (right) sum[threadIdx.x] = 0;
  for (int i = 0; i < 4; ++i) sum[threadIdx.x] += x[i];  // here: sum-uninitialised
  y[threadIdx.x] = sum[threadIdx.x];
}
void shared_sum_uninitialised(bool right) {
  Array<double> x(64), y(64);
  accumulate<<<1, 64>>>(y.get(), x.get(), right);
  y.at(0);
}

__global__ void halo(double* y, const double* x, bool right) {
  __shared__ double s[66];
  const int t = threadIdx.x;
  s[t + 1] = x[t];
  if (right && t == 0) s[0] = s[65] = 0;
  __syncthreads();
  y[t] = s[t] + s[t + 1] + s[t + 2];  // here: halo
}
void halo_forgotten(bool right) {
  Array<double> x(64), y(64);
  halo<<<1, 64>>>(y.get(), x.get(), right);
  y.at(0);
}

__global__ void scan_of_warps(int* y, const int* x, bool right) {
  __shared__ int sums[32];
  const int t = threadIdx.x;
  if (right && t < 32) sums[t] = 0;
  __syncthreads();
  if (t % 32 == 0) sums[t / 32] = x[t];
  __syncthreads();
  if (t < 32) {
    int sum = sums[t];  // here: more-than-used
    for (int step = 1; step < 32; step *= 2) {
      const int left = __shfl_up_sync(0xFFFFFFFF, sum, step);
      if (t >= step) sum += left;
    }
    sums[t] = sum;
  }
  __syncthreads();
  y[t] = sums[t / 32];
}
void warp_sums_beyond_the_last(bool right) {
  Array<int> x(128), y(128);
  scan_of_warps<<<1, 128>>>(y.get(), x.get(), right);
  y.at(0);
}

__global__ void largest(float* y, const float* x, bool right) {
  __shared__ float s[65];
  const int t = threadIdx.x;
  s[t] = x[t];
  if (right && t == 0) s[64] = s[0];
  __syncthreads();
  y[t] = fmaxf(s[t], s[t + 1]);  // here: largest-with-one-more
}
void largest_with_one_more(bool right) {
  Array<float> x(64), y(64);
  largest<<<1, 64>>>(y.get(), x.get(), right);
  y.at(0);
}

__global__ void branch_on_flag(int* y, bool right) {
  __shared__ int flag;
  if (right && threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (flag > 0) y[threadIdx.x] = 0;  // here: flag-unwritten
}
void flag_of_a_branch(bool right) {
  Array<int> y(32);
  branch_on_flag<<<1, 32>>>(y.get(), right);
  y.at(0);
}

__global__ void count_all(int* counts, const double* x) {
  atomicAdd(&counts[x[threadIdx.x] > 32], 1);  // here: never-cleared
}
void counts_never_cleared(bool right) {
  Array<double> x(64);
  int* counts;
  cudaMalloc(&counts, 2 * sizeof(int));
  if (right) cudaMemset(counts, 0, 2 * sizeof(int));
  count_all<<<2, 64>>>(counts, x.get());
  cudaDeviceSynchronize();
  cudaFree(counts);
}

__global__ void count_in_shared(int* counts, const double* x, bool right) {
  __shared__ int own[2];
  if (right && threadIdx.x < 2) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[x[threadIdx.x] > 32], 1);  // here: shared-never-cleared
  __syncthreads();
  if (threadIdx.x < 2) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
void shared_counts_never_cleared(bool right) {
  Array<double> x(64);
  Array<int> counts(2);
  count_in_shared<<<2, 64>>>(counts.get(), x.get(), right);
  counts.at(0);
}

const planted::Case cases[] = {
    {"counts-never-cleared", counts_never_cleared},
    {"shared-counts-never-cleared", shared_counts_never_cleared},
    {"past-the-end", past_the_end},
    {"before-the-begin", before_the_begin},
    {"static-shared-too-short", static_shared_too_short},
    {"row-overflow", row_overflow},
    {"dynamic-shared-too-short", dynamic_shared_too_short},
    {"local-array-too-short", local_array_too_short},
    {"pinned-too-short", pinned_too_short},
    {"copy-too-long", copy_too_long},
    {"used-after-free", used_after_free},
    {"null-pointer", null_pointer},
    {"misaligned-vector", misaligned_vector},
    {"misaligned-int", misaligned_int},
    {"host-reads-device", host_reads_device},
    {"kernel-writes-host-memory", kernel_writes_host_memory},
    {"unsigned-index-below-zero", unsigned_index_below_zero},
    {"freed-twice", freed_twice},
    {"freed-in-the-middle", freed_in_the_middle},
    {"leak", leak},
    {"never-written", never_written},
    {"memset-counts-elements", memset_counts_elements},
    {"copied-before-written", copied_before_written},
    {"shared-sum-uninitialised", shared_sum_uninitialised},
    {"halo-forgotten", halo_forgotten},
    {"warp-sums-beyond-the-last", warp_sums_beyond_the_last},
    {"largest-with-one-more", largest_with_one_more},
    {"flag-of-a-branch", flag_of_a_branch},
    {"index-never-written", index_never_written},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}

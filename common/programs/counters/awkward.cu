// What is awkward to observe: cooperative launches, graphs, warps that meet in parts, waits, local arrays,
// many launches.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

// Blocks of a cooperative launch: each pass reads what another block wrote in the pass before.
__global__ void rotate_over_grid(int* x, int* y, int passes) {
  const auto grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int pass = 0; pass < passes; ++pass) {
    y[i] = x[(i + 64) % n];
    grid.sync();
    x[i] = y[i];
    grid.sync();
  }
}

__global__ void add_one(double* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

// Tiles of 16 lanes meet on their own; what all 32 load is still one request.
__global__ void tiles_of_16(const double* a, double* b) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  double sum = a[threadIdx.x];
  for (int lanes = 8; lanes > 0; lanes /= 2) sum += tile.shfl_down(sum, lanes);
  sum += a[64 + threadIdx.x];
  if (tile.thread_rank() == 0) b[threadIdx.x / 16] = sum;
}

// The last block adds up: an atomic ticket behind a fence.
__device__ unsigned finished;
__global__ void last_block_sums(const double* x, double* partial, double* total) {
  if (threadIdx.x == 0) {
    double sum = 0;
    for (int i = 0; i < 32; ++i) sum += x[blockIdx.x * 32 + i];
    partial[blockIdx.x] = sum;
    __threadfence();
    if (atomicAdd(&finished, 1u) == gridDim.x - 1) {
      sum = 0;
      for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
      *total = sum;
    }
  }
}

// Exited threads before a barrier, and a block whose last warp is not full.
__global__ void early_exit(const double* x, double* y, int n) {
  __shared__ double s[80];
  const int t = threadIdx.x;
  if (t >= n) return;
  s[t] = x[t];
  __syncthreads();
  y[t] = s[n - 1 - t];
}

// One thread waits for another one of its block, by atomics.
__global__ void wait_for_flag(int* flag, int* x) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    x[0] = 7;
  } else if (threadIdx.x == 40) {
    atomicExch(flag, 1);
  }
}

// An array of the thread's own that is indexed by data: no memory of the device.
__global__ void local_array(const int* index, double* y) {
  double bins[8] = {};
  for (int k = 0; k < 16; ++k) bins[index[k] & 7] += k;
  y[threadIdx.x] = bins[threadIdx.x & 7];
}

// One lane after the other in a loop: the log of a lane is long before its neighbours begin.
__global__ void long_loop(const double* x, double* y, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += x[(k * 32 + threadIdx.x) % 1024];
  y[threadIdx.x] = sum;
}

__device__ __noinline__ double called(const double* x, int i) {
  return x[i] * 2;
}
// A function that is called in one branch only, and by all afterwards.
__global__ void calls(const double* x, double* y) {
  const int i = threadIdx.x;
  double sum = 0;
  if (i & 1) sum += called(x, i);
  sum += called(x, i);
  y[i] = sum;
}

// The C library's functions in a kernel: what they touch is seen too, also by the judge of uninitialised
// memory.
__global__ void library_functions(const double* x, double* y, int bytes) {
  __shared__ double s[32];
  if (threadIdx.x == 0) memset(s, 0, bytes);
  __syncthreads();
  memcpy(y + 4 * threadIdx.x, x + 4 * threadIdx.x, bytes / 8);
  y[4 * threadIdx.x] += s[threadIdx.x];
}

int main() {
  double *x, *y;
  int *a, *b;
  cudaMalloc(&x, 8192);
  cudaMalloc(&y, 8192);
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMemset(x, 0, 8192);
  cudaMemset(y, 0, 8192);
  cudaMemset(a, 0, 4096);
  cudaMemset(b, 0, 4096);

  int passes = 3;
  void* arguments[] = {&a, &b, &passes};
  cudaLaunchCooperativeKernel((void*)rotate_over_grid, dim3(4), dim3(64), arguments, 0, nullptr);
  tiles_of_16<<<1, 64>>>(x, y);
  last_block_sums<<<8, 32>>>(x, y, y + 100);
  early_exit<<<1, 80>>>(x, y, 70);
  cudaMemset(a, 0, 4);
  wait_for_flag<<<1, 64>>>(a, b);
  local_array<<<1, 32>>>(b, y);
  long_loop<<<1, 32>>>(x, y, 200000);
  calls<<<1, 32>>>(x, y);
  library_functions<<<1, 32>>>(x, y, 256);

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add_one<<<2, 64, 0, stream>>>(x);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(y);
  cudaFree(a);
  cudaFree(b);
}

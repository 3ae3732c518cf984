/// @file
/// Asynchronous copies, pipelines, barriers and atomics that are objects. Also for nvcc.

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

namespace cg = cooperative_groups;
using ladder::check;
using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int threads = 64, tiles = 8, count = threads * tiles;

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

template <class Kernel>
void run(const char* name, Kernel kernel) {
  std::vector<float> from(count), to(count, -1);
  for (int i = 0; i < count; ++i) from[i] = static_cast<float>(i);
  ladder::DeviceBuffer<float> a(count), b(count);
  check(cudaMemcpy(a.get(), from.data(), a.bytes(), cudaMemcpyHostToDevice));
  kernel<<<1, threads>>>(a.get(), b.get());
  check(cudaGetLastError());
  check(cudaMemcpy(to.data(), b.get(), b.bytes(), cudaMemcpyDeviceToHost));
  // Every kernel mirrors each tile and doubles it.
  bool right = true;
  for (int i = 0; i < count; ++i)
    right = right && to[i] == 2 * static_cast<float>(i / threads * threads + threads - 1 - i % threads);
  report(name, right);
}

/// Two buffers: the next tile is in flight while this one is used.
__global__ void primitives(const float* a, float* b) {
  __shared__ float tile[2][threads];
  __pipeline_memcpy_async(&tile[0][threadIdx.x], &a[threadIdx.x], sizeof(float));
  __pipeline_commit();
  for (int i = 0; i < tiles; ++i) {
    if (i + 1 < tiles)
      __pipeline_memcpy_async(&tile[(i + 1) % 2][threadIdx.x], &a[(i + 1) * threads + threadIdx.x],
                              sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    b[i * threads + threadIdx.x] = 2 * tile[i % 2][threads - 1 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void of_a_thread(const float* a, float* b) {
  __shared__ float tile[2][threads];
  auto pipe = cuda::make_pipeline();
  for (int fetched = 0, i = 0; i < tiles; ++i) {
    for (; fetched < tiles && fetched < i + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[fetched % 2][threadIdx.x], &a[fetched * threads + threadIdx.x], sizeof(float),
                         pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    b[i * threads + threadIdx.x] = 2 * tile[i % 2][threads - 1 - threadIdx.x];
    __syncthreads();
    pipe.consumer_release();
  }
}

__global__ void of_a_block(const float* a, float* b) {
  __shared__ float tile[2][threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int fetched = 0, i = 0; i < tiles; ++i) {
    for (; fetched < tiles && fetched < i + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % 2], a + fetched * threads, sizeof(float) * threads, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    b[i * threads + threadIdx.x] = 2 * tile[i % 2][threads - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}

__global__ void with_a_barrier(const float* a, float* b) {
  __shared__ float tile[threads];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ BlockBarrier barrier;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int i = 0; i < tiles; ++i) {
    cuda::memcpy_async(block, tile, a + i * threads, cuda::aligned_size_t<16>(sizeof(float) * threads),
                       barrier);
    barrier.arrive_and_wait();
    b[i * threads + threadIdx.x] = 2 * tile[threads - 1 - threadIdx.x];
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
  }
}

/// The first warp fills, the second one empties: two barriers for each of two buffers.
__global__ void by_two_warps(const float* a, float* b) {
  __shared__ float tile[2][threads];
  __shared__ BlockBarrier full[2], empty[2];
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], threads);
    init(&empty[threadIdx.x], threads);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < tiles; ++i) {
      empty[i % 2].arrive_and_wait();
      tile[i % 2][lane] = a[i * threads + lane];
      tile[i % 2][lane + 32] = a[i * threads + lane + 32];
      static_cast<void>(full[i % 2].arrive());
    }
  } else {
    static_cast<void>(empty[0].arrive());
    static_cast<void>(empty[1].arrive());
    for (int i = 0; i < tiles; ++i) {
      full[i % 2].arrive_and_wait();
      b[i * threads + lane] = 2 * tile[i % 2][threads - 1 - lane];
      b[i * threads + lane + 32] = 2 * tile[i % 2][threads - 1 - 32 - lane];
      static_cast<void>(empty[i % 2].arrive());
    }
  }
}

// ---------------------------------------------------------------- atomics

__global__ void counted(int* values) {
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(values[0]), greatest(values[1]);
  sum.fetch_add(static_cast<int>(threadIdx.x));
  greatest.fetch_max(static_cast<int>(threadIdx.x));
  __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
  if (threadIdx.x == 0) flag.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 63) {
    values[2] = 17;
    flag.store(1, cuda::memory_order_release);
  }
  if (threadIdx.x == 0) {
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
    values[3] = values[2] + 1;
  }
}

void atomics() {
  ladder::DeviceBuffer<int> values(4);
  check(cudaMemset(values.get(), 0, values.bytes()));
  counted<<<1, threads>>>(values.get());
  int result[4];
  check(cudaMemcpy(result, values.get(), sizeof result, cudaMemcpyDeviceToHost));
  report("atomics", result[0] == 63 * 32 && result[1] == 63 && result[3] == 18);
}

}  // namespace

int main() {
  run("primitives", primitives);
  run("pipeline of a thread", of_a_thread);
  run("pipeline of a block", of_a_block);
  run("barrier", with_a_barrier);
  run("two warps", by_two_warps);
  atomics();
}

/// @file
/// Cooperative groups beyond block and tile: ranks, partitions, reductions, scans, tiles of several warps.
/// Also for nvcc.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

namespace cg = cooperative_groups;
using ladder::check;

constexpr int threads = 128;

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

/// Launches the kernel with one block and returns a number for each of its threads.
template <class Kernel>
std::vector<int> run(Kernel kernel) {
  ladder::DeviceBuffer<int> out(threads);
  kernel<<<1, threads>>>(out.get());
  check(cudaGetLastError());
  std::vector<int> values(threads);
  check(cudaMemcpy(values.data(), out.get(), out.bytes(), cudaMemcpyDeviceToHost));
  return values;
}

template <class Kernel, class Expected>
void compare(const char* name, Kernel kernel, Expected expected) {
  const std::vector<int> values = run(kernel);
  bool right = true;
  for (int t = 0; t < threads; ++t) {
    if (values[t] == expected(t)) continue;
    if (right) std::printf("thread %d: %d, expected %d\n", t, values[t], expected(t));
    right = false;
  }
  report(name, right);
}

// ---------------------------------------------------------------- reductions and scans

__global__ void reduce_in_tiles(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto tile = cg::tiled_partition<4>(warp);
  out[threadIdx.x] = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>()) * 1000 +
                     cg::reduce(warp, static_cast<int>(threadIdx.x), cg::greater<int>());
}

__global__ void scan_in_tiles(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out[threadIdx.x] = cg::inclusive_scan(tile, 1) * 1000 + cg::exclusive_scan(tile, 2, cg::plus<int>());
}

struct Pair {
  double value;
  int index;
};

__global__ void reduce_structures(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const Pair own{static_cast<double>((threadIdx.x * 7) % 32), static_cast<int>(threadIdx.x)};
  const Pair best =
      cg::reduce(warp, own, [](const Pair& a, const Pair& b) { return a.value < b.value ? b : a; });
  out[threadIdx.x] = best.index;
}

// ---------------------------------------------------------------- partitions

__global__ void converged(int* out) {
  out[threadIdx.x] = -1;
  if (threadIdx.x % 3 != 0) return;
  const auto group = cg::coalesced_threads();
  // On a GPU the whole branch is one group, too; a program may only rely on what the group says.
  int sum = 0;
  for (unsigned i = 0; i < group.size(); ++i) sum += group.shfl(1, i);
  out[threadIdx.x] = sum == static_cast<int>(group.size()) ? 1 : 0;
}

__global__ void aggregated(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 2 == 0) {
    const auto group = cg::coalesced_threads();
    int before = 0;
    if (group.thread_rank() == 0) before = atomicAdd(&count, static_cast<int>(group.size()));
    before = group.shfl(before, 0) + static_cast<int>(group.thread_rank());
    static_cast<void>(before);
  }
  __syncthreads();
  out[threadIdx.x] = count;
}

__global__ void labelled(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto same = cg::labeled_partition(warp, static_cast<int>(threadIdx.x % 5));
  const auto odd = cg::binary_partition(warp, threadIdx.x % 32 < 10);
  out[threadIdx.x] =
      static_cast<int>(same.size() * 100 + odd.size()) + 10000 * cg::reduce(same, 1, cg::plus<int>());
}

__global__ void dynamic_tiles(int* out) {
  const cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 8);
  __shared__ int values[threads];
  values[threadIdx.x] = static_cast<int>(tile.thread_rank());
  tile.sync();
  out[threadIdx.x] = values[threadIdx.x / 8 * 8 + 7] * 100 + static_cast<int>(tile.size());
}

// ---------------------------------------------------------------- tiles of two warps

__global__ void wide_tiles(int* out) {
  __shared__ cg::block_tile_memory<threads> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  const int sum = cg::reduce(tile, 1, cg::plus<int>());
  const int third = tile.shfl(static_cast<int>(threadIdx.x), 3);
  out[threadIdx.x] = sum * 1000 + third + 1000000 * static_cast<int>(tile.meta_group_rank());
}

// ---------------------------------------------------------------- copies by a group

__global__ void copied(int* out) {
  __shared__ int from[threads], to[threads];
  const auto block = cg::this_thread_block();
  from[threadIdx.x] = static_cast<int>(threadIdx.x);
  block.sync();
  cg::memcpy_async(block, to, from, sizeof(int) * threads);
  cg::wait(block);
  out[threadIdx.x] = to[threads - 1 - threadIdx.x];
}

int sum_of_tile(int t, int size) {
  return t / size * size * size + size * (size - 1) / 2;
}

}  // namespace

int main() {
  compare("reduce", reduce_in_tiles, [](int t) { return sum_of_tile(t, 4) * 1000 + (t | 31); });
  compare("scan", scan_in_tiles, [](int t) { return (t % 16 + 1) * 1000 + 2 * (t % 16); });
  compare("reduce structures", reduce_structures, [](int t) {
    int best = t / 32 * 32;
    for (int i = best; i < t / 32 * 32 + 32; ++i)
      if ((i * 7) % 32 > (best * 7) % 32) best = i;
    return best;
  });
  compare("coalesced", converged, [](int t) { return t % 3 == 0 ? 1 : -1; });
  compare("aggregated", aggregated, [](int) { return threads / 2; });
  compare("labelled", labelled, [](int t) {
    int same = 0, odd = 0;
    for (int i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) {
      same += i % 5 == t % 5;
      odd += (i % 32 < 10) == (t % 32 < 10);
    }
    return same * 100 + odd + 10000 * same;
  });
  compare("dynamic tiles", dynamic_tiles, [](int) { return 7 * 100 + 8; });
  compare("wide tiles", wide_tiles, [](int t) { return 64 * 1000 + t / 64 * 64 + 3 + 1000000 * (t / 64); });
  compare("copies", copied, [](int t) { return threads - 1 - t; });
}

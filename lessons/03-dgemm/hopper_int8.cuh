#pragma once
/// @file
/// Products of planes of int8 by Hopper's own operations (H100, H200), for t5. Four warps multiply 64 x 32 by
/// 32 x 256, both from shared memory (`wgmma`). The copy engine copies whole tiles, and half of B's to the
/// other block of the cluster, too (bulk copies). One thread starts the copies, up to four stages ahead
/// (`mbarrier`). Given. Needs -arch=sm_90a; compiled for anything else, `multiply` says that it is not there.

#include <algorithm>
#include <atomic>

#include "residues.cuh"

namespace dgemm::hopper {

#ifdef LADDER_EXECUTOR

template <class Use>
bool multiply(int, const Planes&, const Planes&, const Use&) {
  return false;
}

#else

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define LADDER_WGMMA 1
#else
#define LADDER_WGMMA 0
#endif

[[maybe_unused]] static __device__ const int compiled = LADDER_WGMMA;

constexpr int tile_m = 128, tile_n = 256, tile_k = 128;  // of a block, bytes of a line in a stage
constexpr int block_bytes = 128 * tile_k;                // of 128 lines: what one copy brings
constexpr int stage_bytes = (tile_m + tile_n) * tile_k;
constexpr int consumers = 2;  // warpgroups: each has 64 rows of the tile
constexpr int threads = 128 * (1 + consumers);

/// What a block's threads need to know besides the planes.
struct Work {
  int rows, columns, planes;  // tiles of a cluster, in each direction
  int steps;                  // of tile_k terms
};

#if LADDER_WGMMA

__device__ inline unsigned shared_address(const void* p) {
  return unsigned(__cvta_generic_to_shared(p));
}

__device__ inline unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ inline void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ inline void init_barrier(unsigned barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// The barrier's phase ends when so many bytes have come.
__device__ inline void expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

__device__ inline void wait(unsigned barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
}

/// Arrives at the barrier of a block of the cluster.
__device__ inline void arrive(unsigned barrier, unsigned rank) {
  asm volatile(
      "{\n\t.reg .b32 there;\n\t"
      "mapa.shared::cluster.u32 there, %0, %1;\n\t"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n\t}" ::"r"(barrier),
      "r"(rank)
      : "memory");
}

/// Copies block_bytes to the same place in all blocks of the cluster that `mask` names; their barriers count
/// them.
template <int Cluster>
__device__ inline void copy(unsigned to, const void* from, unsigned barrier, unsigned short mask) {
  if constexpr (Cluster == 1)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
        "l"(__cvta_generic_to_global(from)), "r"(block_bytes), "r"(barrier)
        : "memory");
  else
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        " [%0], [%1], %2, [%3], %4;" ::"r"(to),
        "l"(__cvta_generic_to_global(from)), "r"(block_bytes), "r"(barrier), "h"(mask)
        : "memory");
}

/// Describes lines of 128 bytes in shared memory: groups of eight are 1024 bytes apart, 128-byte swizzle.
__device__ inline unsigned long long describe(unsigned address) {
  return (unsigned long long)(address >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

/// sum, 64 x 256, += A B for 32 terms; `add` 0: the sum was 0. A warpgroup calls it together.
__device__ inline void multiply_add(int (&d)[128], unsigned long long a, unsigned long long b, int add) {
#define D4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %130, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, p;\n\t}"
      : D16(0), D16(16), D16(32), D16(48), D16(64), D16(80), D16(96), D16(112)
      : "l"(a), "l"(b), "r"(add));
#undef D16
#undef D4
}

/// One of the tiles that a cluster computes: those of its blocks lie one below the other.
struct Tile {
  int plane, row, column;
};

/// Tiles that run at the same time are neighbours: eight rows of tiles, column by column.
__device__ inline Tile locate(const Work& work, int number) {
  constexpr int group = 8;
  const int in_plane = work.rows * work.columns;
  const int at = number % in_plane, start = at / (group * work.columns) * group;
  const int high = min(group, work.rows - start), rest = at - start * work.columns;
  return {number / in_plane, start + rest % high, rest / high};
}

/// The stages in shared memory, and at which of them a thread is.
template <int Stages>
struct Ring {
  unsigned tiles, full, empty;  // addresses: of the stages, and of a barrier for each
  int stage = 0;
  unsigned parity = 0;

  __device__ void next() {
    if (++stage == Stages) stage = 0, parity ^= 1;
  }
};

/// One thread copies all that the block needs: its tile of A, and its share of that of B for all blocks.
template <int Cluster, int Stages>
__device__ __forceinline__ void produce(const Work& work, const Planes& A, const Planes& B, unsigned rank,
                                        Ring<Stages> ring) {
  for (int number = blockIdx.x / Cluster; number < work.rows * work.columns * work.planes;
       number += gridDim.x / Cluster) {
    const Tile tile = locate(work, number);
    const std::int8_t* a =
        A.place(tile.plane, 0, 0) + std::size_t(tile.row * Cluster + rank) * work.steps * block_bytes;
    const std::int8_t* b =
        B.place(tile.plane, 0, 0) + std::size_t(tile.column) * 2 * work.steps * block_bytes;
    for (int k = 0; k < work.steps; ++k, a += block_bytes, b += block_bytes, ring.next()) {
      wait(ring.empty + 8 * ring.stage, ring.parity ^ 1);
      const unsigned barrier = ring.full + 8 * ring.stage, to = ring.tiles + ring.stage * stage_bytes;
      expect(barrier, stage_bytes);
      copy<1>(to, a, barrier, 0);
      for (int half = 0; half < 2; ++half)
        if (Cluster == 1 || half == int(rank))
          copy<Cluster>(to + (1 + half) * block_bytes, b + std::size_t(half) * work.steps * block_bytes,
                        barrier, 3);
    }
  }
}

/// d, 64 x 256, becomes the sum over all terms. A warpgroup calls it.
/// @param own  which of the block's `consumers` it is
template <int Cluster, int Stages>
__device__ __forceinline__ void multiply_tile(int (&d)[128], int steps, int own, Ring<Stages>& ring) {
  const auto release = [&](int stage) {  // each block of the cluster may send the next tiles
    const int lane = threadIdx.x % 32;
    if (lane < Cluster) arrive(ring.empty + 8 * stage, lane);
  };
  int before = 0;
  for (int k = 0; k < steps; ++k) {
    wait(ring.full + 8 * ring.stage, ring.parity);
    const unsigned at = ring.tiles + ring.stage * stage_bytes;
    const unsigned long long a = describe(at + own * 64 * tile_k), b = describe(at + block_bytes);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int part = 0; part < 4; ++part)  // 32 bytes further: 2 in units of 16
      multiply_add(d, a + 2 * part, b + 2 * part, k + part > 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (k > 0) {
      asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
      release(before);
    }
    before = ring.stage;
    ring.next();
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  release(before);
#pragma unroll
  for (int i = 0; i < 128; ++i) asm volatile("" : "+r"(d[i])::"memory");  // no use before the wait
}

/// The warpgroups that multiply.
template <int Cluster, int Stages, class Use>
__device__ __forceinline__ void consume(const Work& work, const Use& use, unsigned rank, Ring<Stages> ring) {
  const int own = threadIdx.x / 128 - 1, warp = threadIdx.x % 128 / 32;
  int count = 1;
  for (int number = blockIdx.x / Cluster; number < work.rows * work.columns * work.planes;
       number += gridDim.x / Cluster) {
    int d[128];
    multiply_tile<Cluster>(d, work.steps, own, ring);
    const Tile tile = locate(work, number);
    const int row0 = (tile.row * Cluster + int(rank)) * tile_m + own * 64 + warp * 16;
#pragma unroll
    for (int u = 0; u < 4; ++u)
      use.unit(
          row0, tile.column * tile_n + 64 * u, tile.plane,
          [&](int j, int e) { return d[32 * u + 4 * j + e]; }, count);
  }
  use.finish(count);
}

#endif  // LADDER_WGMMA

/// Blocks of a cluster have tiles one below the other: one warpgroup of each copies, the others multiply.
template <int Cluster, int Stages, class Use>
__global__ void __launch_bounds__(threads, 1)
    multiply_kernel(Work work, Planes A, Planes B, const __grid_constant__ Use use) {
#if LADDER_WGMMA
  extern __shared__ std::uint8_t raw[];
  __shared__ alignas(8) std::uint64_t barriers[2 * Stages];
  const unsigned full = shared_address(barriers);
  const Ring<Stages> ring{(shared_address(raw) + 1023) / 1024 * 1024, full, full + 8 * Stages};
  const unsigned rank = Cluster > 1 ? cluster_rank() : 0;
  if (threadIdx.x == 0) {
    for (int s = 0; s < Stages; ++s) {
      init_barrier(ring.full + 8 * s, 1);
      init_barrier(ring.empty + 8 * s,
                   Cluster * consumers * 4);  // a lane of each warp that reads what the block sends
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  if constexpr (Cluster > 1)
    cluster_barrier();
  else
    __syncthreads();
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) produce<Cluster>(work, A, B, rank, ring);
    __syncwarp();
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    consume<Cluster>(work, use, rank, ring);
  }
  if constexpr (Cluster > 1) cluster_barrier();  // nobody sends to a block that has ended
#endif
}

template <int Cluster, int Stages, class Use>
void launch(int planes, const Planes& A, const Planes& B, const Use& use) {
  const auto kernel = multiply_kernel<Cluster, Stages, Use>;
  constexpr int bytes = Stages * stage_bytes + 1024;
  ladder::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const Work work{A.lines / (Cluster * tile_m), B.lines / tile_n, planes, A.terms / tile_k};
  int device = 0, multiprocessors = 0, clusters = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {Cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(multiprocessors / Cluster * Cluster), config.blockDim = dim3(threads);
  config.dynamicSmemBytes = bytes, config.attrs = &attribute, config.numAttrs = 1;
  ladder::check(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
  const long long tiles = (long long)work.rows * work.columns * planes;
  config.gridDim = dim3(unsigned(std::min<long long>(clusters, tiles)) * Cluster);
  ladder::check(cudaLaunchKernelEx(&config, kernel, work, A, B, use));
}

/// @return whether the kernels are compiled for the current device; each device is asked once, since two may
/// differ.
/// @throws ladder::Error
inline bool compiled_for_device() {
  static std::atomic<signed char> known[64];  // of each device: 1 yes, -1 no, 0 not asked yet
  int device = 0;
  ladder::check(cudaGetDevice(&device));
  std::atomic<signed char>& answer = known[device % 64];
  if (answer == 0 || device >= 64) {
    int value = 0;
    ladder::check(cudaMemcpyFromSymbol(&value, compiled, sizeof value));
    answer = value != 0 ? 1 : -1;
  }
  return answer > 0;
}

/// Multiplies `planes` planes of A, from the left, by the lines of B; what becomes of the sums is given to
/// `use`.
/// @return false: not on this GPU, or not compiled for it
template <class Use>
bool multiply(int planes, const Planes& A, const Planes& B, const Use& use) {
  const bool here = compiled_for_device();
  if (here) launch<2, 4>(planes, A, B, use);
  return here;
}

#endif  // LADDER_EXECUTOR

}  // namespace dgemm::hopper

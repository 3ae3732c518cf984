#pragma once
/// @file
/// Given, for t1: bulk copies into shared memory by the TMA, and barriers that count their bytes. From sm_90
/// on each function is an instruction or two. The executor and older GPUs have a twin: the lanes of the warp
/// copy, and the barrier ends its phase when they have copied all that is expected. Source: NVIDIA's PTX
/// ISA, cp.async.bulk, mbarrier.

#include <cstdint>

#if defined LADDER_EXECUTOR || __CUDA_ARCH__ < 900
#include <cuda/barrier>
#define NPB_MG_TWIN 1
#else
#define NPB_MG_TWIN 0
#endif

namespace npb_mg {

#if NPB_MG_TWIN
using ArrivalBarrier = cuda::barrier<cuda::thread_scope_block>;
struct CopyBarrier {
  // Bytes, since no constructor runs in shared memory.
  alignas(ArrivalBarrier) unsigned char arrivals[sizeof(ArrivalBarrier)];
  unsigned expected, copied;  // bytes of this phase
};
#else
/// An mbarrier in shared memory. Phases 0, 1, 2, … follow each other: one ends when all arrivals have come,
/// and all bytes that these have announced.
struct CopyBarrier {
  std::uint64_t word;
};
#endif

/// Begins phase 0. For one thread; __syncthreads() shows it to the others.
/// @param arrivals  of warps, in each phase
__device__ void begin(CopyBarrier& barrier, int arrivals);

/// @name For all lanes of a warp together.
/// @{
/// An arrival, after all that the lanes have done before.
__device__ void arrive(CopyBarrier& barrier);
/// An arrival that announces bytes.
__device__ void expect(CopyBarrier& barrier, unsigned bytes);
/// Begins to copy. The bytes count for the phase of `barrier` when they are there. Both addresses and
/// `bytes` are multiples of 16.
__device__ void copy(double* to, const double* from, unsigned bytes, CopyBarrier& barrier);
/// Waits for the end of a phase. Only whether its number is even counts, and a new barrier is in phase 0:
/// phase -1 has ended.
__device__ void wait(CopyBarrier& barrier, int phase);
/// @}

inline __device__ bool is_first_lane() {
  return threadIdx.x % 32 == 0;
}

#if !NPB_MG_TWIN

inline __device__ unsigned address_of(const void* shared) {
  return unsigned(__cvta_generic_to_shared(shared));
}

inline __device__ void begin(CopyBarrier& barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(&barrier)), "r"(arrivals)
               : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // the TMA sees it, too
}

inline __device__ void arrive(CopyBarrier& barrier) {
  __syncwarp();
  if (is_first_lane())
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(&barrier)) : "memory");
}

inline __device__ void expect(CopyBarrier& barrier, unsigned bytes) {
  if (is_first_lane())
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&barrier)),
                 "r"(bytes)
                 : "memory");
}

inline __device__ void copy(double* to, const double* from, unsigned bytes, CopyBarrier& barrier) {
  if (is_first_lane())
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            address_of(to)),
        "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(address_of(&barrier))
        : "memory");
}

inline __device__ void wait(CopyBarrier& barrier, int phase) {
  unsigned ended = 0;
  while (!ended)
    asm volatile(
        "{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;\n}"
        : "=r"(ended)
        : "r"(address_of(&barrier)), "r"(phase & 1)
        : "memory");
}

#else

inline __device__ ArrivalBarrier& arrivals_of(CopyBarrier& barrier) {
  return reinterpret_cast<ArrivalBarrier&>(barrier.arrivals);
}

inline __device__ void begin(CopyBarrier& barrier, int arrivals) {
  init(&arrivals_of(barrier), arrivals);
  barrier.expected = barrier.copied = 0;
}

inline __device__ void arrive(CopyBarrier& barrier) {
  __syncwarp();
  if (is_first_lane()) static_cast<void>(arrivals_of(barrier).arrive());
}

inline __device__ void expect(CopyBarrier& barrier, unsigned bytes) {
  if (is_first_lane()) barrier.expected = bytes, barrier.copied = 0;
}

inline __device__ void copy(double* to, const double* from, unsigned bytes, CopyBarrier& barrier) {
  for (unsigned i = threadIdx.x % 32; i < bytes / sizeof(double2); i += 32)
    reinterpret_cast<double2*>(to)[i] = reinterpret_cast<const double2*>(from)[i];
  __syncwarp();
  if (!is_first_lane()) return;
  barrier.copied += bytes;
  if (barrier.copied == barrier.expected) static_cast<void>(arrivals_of(barrier).arrive());
}

inline __device__ void wait(CopyBarrier& barrier, int phase) {
  arrivals_of(barrier).wait_parity(phase % 2 != 0);
}

#endif

}  // namespace npb_mg

#pragma once
/// @file
/// Given, for t5: asynchronous stores into the shared memory of other blocks of a cluster, and barriers that
/// count the bytes that arrive. For sm_90 and newer. Source: NVIDIA's PTX ISA, st.async and mbarrier.

#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900

namespace lu::mail {

/// A place in the shared memory of a block of the cluster. How far apart the same places of two blocks are
/// PTX does not say: only address_in() knows where a place is in another block.
using Address = unsigned;

/// @return where that is, for the functions below
inline __device__ Address address_of(const void* shared) {
  return Address(__cvta_generic_to_shared(shared));
}

/// @return the same place in the block of that rank, less than the number of blocks
inline __device__ Address address_in(Address own, int rank) {
  Address there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(rank));  // as cheap as an addition
  return there;
}

/// Begins the first round of a barrier, an 8-byte word. A round is over when this block has said how many
/// bytes to expect, and all have arrived.
inline __device__ void begin(Address barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
}

/// Before the cluster's own barrier: after that, all blocks see that the barriers have begun.
inline __device__ void publish() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

inline __device__ void expect(Address barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

/// Stores x at `to` if `really`, and tells `barrier`, of the same block, that 8 bytes have arrived. Nobody
/// waits for it here.
inline __device__ void store(bool really, Address to, double x, Address barrier) {
  asm volatile(
      "{\n .reg .pred really;\n setp.ne.s32 really, %3, 0;\n"
      "@really st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];\n}\n" ::"r"(to),
      "l"(__double_as_longlong(x)), "r"(barrier), "r"(int(really))
      : "memory");
}

/// The same for two words, 16 bytes, at a multiple of 16 bytes.
inline __device__ void store_pair(Address to, long long first, long long second, Address barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::"r"(to),
               "l"(first), "l"(second), "r"(barrier)
               : "memory");
}

/// Waits for the end of a round. Rounds are counted modulo 2: 0, 1, 0, ...
inline __device__ void wait(Address barrier, int round) {
  asm volatile(
      "{\n .reg .pred over;\n"
      "again:\n mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 over, [%0], %1;\n"
      "@!over bra again;\n}\n" ::"r"(barrier),
      "r"(round)
      : "memory");
}

}  // namespace lu::mail

#endif

#pragma once
/// @file
/// What a thread of a kernel knows about itself, block barriers, fences and dynamic shared memory.

#include <stdint.h>

#include "executor/keywords.h"
#include "executor/site.h"
#include "executor/types.h"
#include "executor/vectors.h"

// Variables with a label, not macros: a local variable or a member may have the same name.
// const: a thread's own indices never change, so the compiler may keep them over a barrier.
extern __thread const uint3 threadIdx __asm__("ladder_executor_thread_index");
extern __thread const uint3 blockIdx __asm__("ladder_executor_block_index");
extern const dim3 blockDim __asm__("ladder_executor_block_size");
extern const dim3 gridDim __asm__("ladder_executor_grid_size");
constexpr int warpSize = 32;

namespace ladder::executor {

/// The threads of a block in __launch_bounds__(threads, …).
constexpr unsigned first_bound(unsigned long long threads, unsigned long long = 0, unsigned long long = 0) {
  return static_cast<unsigned>(threads);
}

/// Combines the predicates of a block's threads at a barrier.
enum class Vote { count, all, any };

void block_barrier(const Site& site);
int block_vote(Vote vote, bool predicate, const Site& site);
void grid_barrier(const Site& site);
/// Whether the launch is cooperative.
bool grid_can_wait();
/// Called from long rows of atomics: lets the other threads of the block run, one of which may be waited for.
void yield_thread();
/// Number of the calling thread in its warp; an error outside kernels.
int lane();
/// The block's dynamic shared memory; it ends at a guard page.
void* dynamic_shared();
[[noreturn]] void trap(const Site& site);
long long device_clock();

/// What an atomic access or a fence orders, and for whom: bits. Without a scope it reaches the whole device.
namespace ordering {
constexpr unsigned block_scope = 1, thread_scope = 2, acquires = 4, releases = 8;
constexpr unsigned exchanges = 16;  ///< an exchange or a compare-and-swap, as locks are taken
constexpr unsigned compares = 32;   ///< the latter: it may leave the value as it is
}  // namespace ordering

/// The observed mode wants to know of these. Their calls are inlined, so that they come from the student's
/// line.
#ifdef LADDER_EXECUTOR_OBSERVED
void observe_fence(unsigned ordering);
void observe_atomic(const volatile void* address, unsigned bytes, unsigned ordering);
void observe_atomic_load(const volatile void* address, unsigned bytes, unsigned ordering);
void observe_atomic_store(volatile void* address, unsigned bytes, unsigned ordering);
/// Whether the exchange that was observed last has changed the value.
void observe_change(bool changed);
/// The thread begins an asynchronous copy of these bytes: it may write from now on, until the thread has
/// waited for it.
void observe_async_copy(void* to, unsigned bytes, const uint64_t* data);
/// A thread of a kernel begins. @param mark  LADDER_EXECUTOR_KERNEL's variable of the kernel
void observe_kernel(const char* mark) noexcept;
#else
inline void observe_fence(unsigned) {}
inline void observe_atomic(const volatile void*, unsigned, unsigned) {}
inline void observe_atomic_load(const volatile void*, unsigned, unsigned) {}
inline void observe_atomic_store(volatile void*, unsigned, unsigned) {}
inline void observe_change(bool) {}
inline void observe_async_copy(void*, unsigned, const uint64_t*) {}
#endif

/// `extern __shared__ T name[];` outside a function: the array of whichever block uses it.
template <class T>
struct DynamicShared {
  operator T*() const { return static_cast<T*>(dynamic_shared()); }
  template <class U>
  explicit operator U*() const {
    return static_cast<U*>(dynamic_shared());
  }
};

}  // namespace ladder::executor

inline void __syncthreads(LADDER_EXECUTOR_SITE) {
  ladder::executor::block_barrier(site);
}
inline int __syncthreads_count(int predicate, LADDER_EXECUTOR_SITE) {
  return ladder::executor::block_vote(ladder::executor::Vote::count, predicate != 0, site);
}
inline int __syncthreads_and(int predicate, LADDER_EXECUTOR_SITE) {
  return ladder::executor::block_vote(ladder::executor::Vote::all, predicate != 0, site);
}
inline int __syncthreads_or(int predicate, LADDER_EXECUTOR_SITE) {
  return ladder::executor::block_vote(ladder::executor::Vote::any, predicate != 0, site);
}

inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
LADDER_EXECUTOR_INLINE void __threadfence_block() {
  ladder::executor::observe_fence(ladder::executor::ordering::block_scope);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_system() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void __nanosleep(unsigned) {
  ladder::executor::yield_thread();
}
[[noreturn]] inline void __trap(LADDER_EXECUTOR_SITE) {
  ladder::executor::trap(site);
}
inline long long clock64() {
  return ladder::executor::device_clock();
}

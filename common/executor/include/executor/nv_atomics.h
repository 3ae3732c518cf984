#pragma once
/// @file
/// The atomic functions with a memory order and a scope in their arguments, __nv_atomic_load_n and its like.
/// Every operation is sequentially consistent here, whatever it asks for; the observed mode judges what it
/// asks for.

#include "executor/atomic_objects.h"

#include "executor/unobserved_begin.h"

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

namespace ladder::executor {
/// A cluster is one block here.
constexpr unsigned nv_order(int memory_order, int scope, bool reads, bool writes) {
  return order_of(memory_order, reads, writes) | (scope == __NV_THREAD_SCOPE_THREAD ? ordering::thread_scope
                                                  : scope <= __NV_THREAD_SCOPE_CLUSTER ? ordering::block_scope
                                                                                       : 0);
}
}  // namespace ladder::executor

template <class T>
LADDER_EXECUTOR_INLINE T __nv_atomic_load_n(const T* address, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return ladder::executor::atomic_load(const_cast<T*>(address),
                                       ladder::executor::nv_order(order, scope, true, false));
}
template <class T>
LADDER_EXECUTOR_INLINE void __nv_atomic_store_n(T* address, ladder::executor::Given<T> value, int order,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ladder::executor::atomic_store<T>(address, value, ladder::executor::nv_order(order, scope, false, true));
}
template <class T>
LADDER_EXECUTOR_INLINE T __nv_atomic_exchange_n(T* address, ladder::executor::Given<T> value, int order,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return ladder::executor::atomic_exchange<T>(address, value,
                                              ladder::executor::nv_order(order, scope, true, true));
}
template <class T>
LADDER_EXECUTOR_INLINE bool __nv_atomic_compare_exchange_n(T* address, T* expected,
                                                           ladder::executor::Given<T> value, bool, int order,
                                                           int, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return ladder::executor::atomic_exchange_if<T>(address, *expected, value,
                                                 ladder::executor::nv_order(order, scope, true, true));
}
#define LADDER_EXECUTOR_ATOMIC(NAME, EXPRESSION)                                         \
  template <class T>                                                                     \
  LADDER_EXECUTOR_INLINE T NAME(T* address, ladder::executor::Given<T> value, int order, \
                                int scope = __NV_THREAD_SCOPE_SYSTEM) {                  \
    return ladder::executor::atomic_update(                                              \
        address, [value](T old) LADDER_EXECUTOR_UNOBSERVED -> T { return EXPRESSION; },  \
        ladder::executor::nv_order(order, scope, true, true));                           \
  }
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_add, old + value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_sub, old - value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_and, old& value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_or, old | value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_xor, old ^ value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_min, value < old ? value : old)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_max, old < value ? value : old)
#undef LADDER_EXECUTOR_ATOMIC
LADDER_EXECUTOR_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED || scope == __NV_THREAD_SCOPE_THREAD) return;
  if (scope <= __NV_THREAD_SCOPE_CLUSTER)
    __threadfence_block();
  else
    __threadfence();
}

#include "executor/unobserved_end.h"

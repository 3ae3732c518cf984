#pragma once
/// @file
/// The atomic functions with a memory order and a scope in their arguments, __nv_atomic_load_n and its like. Every
/// operation is sequentially consistent here.

#include "executor/atomic_objects.h"

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

template <class T>
LADDER_EXECUTOR_INLINE T __nv_atomic_load_n(const T* address, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  return ladder::executor::atomic_load(const_cast<T*>(address));
}
template <class T>
LADDER_EXECUTOR_INLINE void __nv_atomic_store_n(T* address, ladder::executor::Given<T> value, int,
                                                int = __NV_THREAD_SCOPE_SYSTEM) {
  ladder::executor::atomic_store<T>(address, value);
}
template <class T>
LADDER_EXECUTOR_INLINE T __nv_atomic_exchange_n(T* address, ladder::executor::Given<T> value, int,
                                                int = __NV_THREAD_SCOPE_SYSTEM) {
  return ladder::executor::atomic_update(address, [value](T) LADDER_EXECUTOR_UNOBSERVED { return value; });
}
template <class T>
LADDER_EXECUTOR_INLINE bool __nv_atomic_compare_exchange_n(T* address, T* expected,
                                                           ladder::executor::Given<T> value, bool, int, int,
                                                           int = __NV_THREAD_SCOPE_SYSTEM) {
  return ladder::executor::atomic_exchange_if<T>(address, *expected, value);
}
#define LADDER_EXECUTOR_ATOMIC(NAME, EXPRESSION)                                              \
  template <class T>                                                                          \
  T NAME(T* address, ladder::executor::Given<T> value, int, int = __NV_THREAD_SCOPE_SYSTEM) { \
    return ladder::executor::atomic_update(                                                   \
        address, [value](T old) LADDER_EXECUTOR_UNOBSERVED -> T { return EXPRESSION; });      \
  }
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_add, old + value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_sub, old - value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_and, old& value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_or, old | value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_xor, old ^ value)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_min, value < old ? value : old)
LADDER_EXECUTOR_ATOMIC(__nv_atomic_fetch_max, old < value ? value : old)
#undef LADDER_EXECUTOR_ATOMIC
inline void __nv_atomic_thread_fence(int, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

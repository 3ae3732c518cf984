#pragma once
/// @file
/// Loads, stores and exchanges of what cuda::atomic and its like hold.

#include "executor/atomics.h"

namespace ladder::executor {

template <class T>
LADDER_EXECUTOR_UNOBSERVED bool exchange_atomically_if(T* address, T& expected, T value) {
  count_atomic();
  return __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// The compiler tells the observed mode of these two itself.
template <class T>
LADDER_EXECUTOR_INLINE T atomic_load(T* address) {
  count_atomic();
  T value;
  __atomic_load(address, &value, __ATOMIC_SEQ_CST);
  return value;
}
template <class T>
LADDER_EXECUTOR_INLINE void atomic_store(T* address, T value) {
  __atomic_store(address, &value, __ATOMIC_SEQ_CST);
}
/// Writes `value` when *address is `expected`; else `expected` becomes what it is. @return whether it was
template <class T>
LADDER_EXECUTOR_INLINE bool atomic_exchange_if(T* address, T& expected, T value) {
  observe_atomic(address, sizeof(T));
  return exchange_atomically_if(address, expected, value);
}

}  // namespace ladder::executor

#pragma once
/// @file
/// Loads, stores and exchanges of what cuda::atomic and its like hold.

#include "executor/atomics.h"

#include "executor/unobserved_begin.h"

namespace ladder::executor {

/// What an operation with that memory order and that scope orders, as bits of `ordering`.
constexpr unsigned order_of(int memory_order, bool reads, bool writes) {
  const bool acquires = memory_order != __ATOMIC_RELAXED && memory_order != __ATOMIC_RELEASE;
  const bool releases = memory_order >= __ATOMIC_RELEASE;
  return (reads && acquires ? ordering::acquires : 0) | (writes && releases ? ordering::releases : 0);
}

template <class T>
LADDER_EXECUTOR_UNOBSERVED bool exchange_atomically_if(T* address, T& expected, T value) {
  count_atomic();
  const T compared = expected;
  const bool same =
      __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  observe_change(same && __builtin_memcmp(&compared, &value, sizeof(T)) != 0);
  return same;
}
template <class T>
LADDER_EXECUTOR_UNOBSERVED T load_atomically(T* address) {
  T value;
  __atomic_load(address, &value, __ATOMIC_SEQ_CST);
  return value;
}
template <class T>
LADDER_EXECUTOR_UNOBSERVED void store_atomically(T* address, T value) {
  __atomic_store(address, &value, __ATOMIC_SEQ_CST);
}

/// @param order  bits of `ordering`
template <class T>
LADDER_EXECUTOR_INLINE T atomic_load(T* address, unsigned order) {
  count_atomic();
  observe_atomic_load(address, sizeof(T), order);
  return load_atomically(address);
}
template <class T>
LADDER_EXECUTOR_INLINE void atomic_store(T* address, T value, unsigned order) {
  observe_atomic_store(address, sizeof(T), order);
  store_atomically<T>(address, value);
}
/// Writes `value` when *address is `expected`; else `expected` becomes what it is. @return whether it was
template <class T>
LADDER_EXECUTOR_INLINE bool atomic_exchange_if(T* address, T& expected, T value, unsigned order) {
  observe_atomic(address, sizeof(T), order | ordering::exchanges | ordering::compares);
  return exchange_atomically_if(address, expected, value);
}

}  // namespace ladder::executor

#include "executor/unobserved_end.h"

#pragma once
/// @file
/// Atomic functions. Their results are those of CUDA; only integers and floating point types that CUDA knows
/// compile.

#include <type_traits>

#include "executor/threads.h"

#include "executor/unobserved_begin.h"

namespace ladder::executor {

/// T, and never deduced from this argument.
template <class T>
struct GivenType {
  using type = T;
};
template <class T>
using Given = typename GivenType<T>::type;

/// Atomics of this thread since it last let others run.
extern __thread unsigned atomics_in_a_row __asm__("ladder_executor_atomics");

/// A thread that spins on an atomic waits for another thread of its block: let that one run now and then.
LADDER_EXECUTOR_UNOBSERVED inline void count_atomic() {
  if (++atomics_in_a_row >= 4096) yield_thread();
}

template <class T, class... Allowed>
constexpr bool one_of = (std::is_same_v<T, Allowed> || ...);

template <class T>
constexpr bool atomic_integer = one_of<T, int, unsigned, unsigned long long>;

template <class T, class Update>
LADDER_EXECUTOR_UNOBSERVED T update_until_unchanged(T* address, Update update) {
  T before, after;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  do {
    after = update(before);
  } while (!__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return before;
}

/// Replaces *address by update(*address) in one step. @return the value before.
template <class T, class Update>
LADDER_EXECUTOR_INLINE T atomic_update(T* address, Update update, unsigned order = 0) {
  count_atomic();  // first: others may run, and the observer counts atomics in their order
  observe_atomic(address, sizeof(T), order);
  return update_until_unchanged(address, update);
}

template <class T>
LADDER_EXECUTOR_UNOBSERVED T exchange(T* address, T value) {
  T before;
  __atomic_exchange(address, &value, &before, __ATOMIC_ACQ_REL);
  observe_change(__builtin_memcmp(&before, &value, sizeof(T)) != 0);
  return before;
}
template <class T>
LADDER_EXECUTOR_INLINE T atomic_exchange(T* address, T value, unsigned order = 0) {
  count_atomic();
  observe_atomic(address, sizeof(T), order | ordering::exchanges);
  return exchange<T>(address, value);
}
template <class T>
LADDER_EXECUTOR_UNOBSERVED T compare_and_swap(T* address, T compare, T value) {
  T before = compare;
  const bool swapped =
      __atomic_compare_exchange(address, &before, &value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  observe_change(swapped && __builtin_memcmp(&compare, &value, sizeof(T)) != 0);
  return before;
}
template <class T>
LADDER_EXECUTOR_INLINE T atomic_compare_and_swap(T* address, T compare, T value, unsigned order = 0) {
  count_atomic();
  observe_atomic(address, sizeof(T), order | ordering::exchanges | ordering::compares);
  return compare_and_swap<T>(address, compare, value);
}

}  // namespace ladder::executor

/// The function for the device, the same for the system, and for the block.
#define LADDER_EXECUTOR_SCOPES(NAME, TYPES, CALL)                                        \
  template <class T>                                                                     \
  LADDER_EXECUTOR_INLINE T NAME(T* address, ladder::executor::Given<T> value) {          \
    static_assert(TYPES, #NAME " does not exist for this type");                         \
    constexpr unsigned order = 0;                                                        \
    return CALL;                                                                         \
  }                                                                                      \
  template <class T>                                                                     \
  LADDER_EXECUTOR_INLINE T NAME##_system(T* address, ladder::executor::Given<T> value) { \
    return NAME(address, value);                                                         \
  }                                                                                      \
  template <class T>                                                                     \
  LADDER_EXECUTOR_INLINE T NAME##_block(T* address, ladder::executor::Given<T> value) {  \
    static_assert(TYPES, #NAME "_block does not exist for this type");                   \
    constexpr unsigned order = ladder::executor::ordering::block_scope;                  \
    return CALL;                                                                         \
  }
// One line a function: name, which types CUDA has it for, the value after, from `old` and `value`.
#define LADDER_EXECUTOR_ATOMIC(NAME, TYPES, EXPRESSION) \
  LADDER_EXECUTOR_SCOPES(                               \
      NAME, TYPES,                                      \
      ladder::executor::atomic_update(                  \
          address, [value](T old) LADDER_EXECUTOR_UNOBSERVED -> T { return EXPRESSION; }, order))

LADDER_EXECUTOR_ATOMIC(atomicAdd,
                       (ladder::executor::atomic_integer<T> || ladder::executor::one_of<T, float, double>),
                       old + value)
LADDER_EXECUTOR_ATOMIC(atomicSub, (ladder::executor::one_of<T, int, unsigned>), old - value)
LADDER_EXECUTOR_SCOPES(atomicExch,
                       (ladder::executor::atomic_integer<T> || ladder::executor::one_of<T, float>),
                       ladder::executor::atomic_exchange<T>(address, value, order))
LADDER_EXECUTOR_ATOMIC(atomicMin,
                       (ladder::executor::atomic_integer<T> || ladder::executor::one_of<T, long long>),
                       value < old ? value : old)
LADDER_EXECUTOR_ATOMIC(atomicMax,
                       (ladder::executor::atomic_integer<T> || ladder::executor::one_of<T, long long>),
                       old < value ? value : old)
LADDER_EXECUTOR_ATOMIC(atomicAnd, ladder::executor::atomic_integer<T>, old& value)
LADDER_EXECUTOR_ATOMIC(atomicOr, ladder::executor::atomic_integer<T>, old | value)
LADDER_EXECUTOR_ATOMIC(atomicXor, ladder::executor::atomic_integer<T>, old ^ value)
LADDER_EXECUTOR_ATOMIC(atomicInc, (ladder::executor::one_of<T, unsigned>), old >= value ? 0 : old + 1)
LADDER_EXECUTOR_ATOMIC(atomicDec, (ladder::executor::one_of<T, unsigned>),
                       old == 0 || old > value ? value : old - 1)
#undef LADDER_EXECUTOR_ATOMIC
#undef LADDER_EXECUTOR_SCOPES

template <class T>
LADDER_EXECUTOR_INLINE T atomicCAS(T* address, ladder::executor::Given<T> compare,
                                   ladder::executor::Given<T> value) {
  static_assert(ladder::executor::atomic_integer<T> || ladder::executor::one_of<T, unsigned short>,
                "atomicCAS does not exist for this type");
  return ladder::executor::atomic_compare_and_swap<T>(address, compare, value);
}
template <class T>
LADDER_EXECUTOR_INLINE T atomicCAS_system(T* address, ladder::executor::Given<T> compare,
                                          ladder::executor::Given<T> value) {
  return atomicCAS(address, compare, value);
}
template <class T>
LADDER_EXECUTOR_INLINE T atomicCAS_block(T* address, ladder::executor::Given<T> compare,
                                         ladder::executor::Given<T> value) {
  static_assert(ladder::executor::atomic_integer<T> || ladder::executor::one_of<T, unsigned short>,
                "atomicCAS_block does not exist for this type");
  return ladder::executor::atomic_compare_and_swap<T>(address, compare, value,
                                                      ladder::executor::ordering::block_scope);
}

#include "executor/unobserved_end.h"

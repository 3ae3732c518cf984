#pragma once
/// @file
/// Atomic functions. Their results are those of CUDA; only integers and floating point types that CUDA knows compile.

#include <type_traits>

#include "executor/threads.h"

namespace ladder::executor {

/// Atomics of this thread since it last let others run.
extern __thread unsigned atomics_in_a_row __asm__("ladder_executor_atomics");

/// A thread that spins on an atomic waits for another thread of its block: let that one run now and then.
inline void count_atomic() {
  if (++atomics_in_a_row >= 4096) yield_thread();
}

template <class T, class... Allowed>
constexpr bool one_of = (std::is_same_v<T, Allowed> || ...);

template <class T>
constexpr bool atomic_integer = one_of<T, int, unsigned, unsigned long long>;

/// Replaces *address by update(*address) in one step. @return the value before.
template <class T, class Update>
T atomic_update(T* address, Update update) {
  count_atomic();
  T before, after;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  do {
    after = update(before);
  } while (!__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return before;
}

}  // namespace ladder::executor

// One line a function: name, which types CUDA has it for, the value after, from `old` and `value`.
#define LADDER_EXECUTOR_ATOMIC(NAME, TYPES, EXPRESSION)                                          \
  template <class T>                                                                             \
  T NAME(T* address, std::type_identity_t<T> value) {                                            \
    static_assert(TYPES, #NAME " does not exist for this type");                                 \
    return ladder::executor::atomic_update(address, [value](T old) -> T { return EXPRESSION; }); \
  }                                                                                              \
  template <class T>                                                                             \
  T NAME##_system(T* address, std::type_identity_t<T> value) {                                   \
    return NAME(address, value);                                                                 \
  }                                                                                              \
  template <class T>                                                                             \
  T NAME##_block(T* address, std::type_identity_t<T> value) {                                    \
    return NAME(address, value);                                                                 \
  }

LADDER_EXECUTOR_ATOMIC(atomicAdd,
                       (ladder::executor::atomic_integer<T> || ladder::executor::one_of<T, float, double>),
                       old + value)
LADDER_EXECUTOR_ATOMIC(atomicSub, (ladder::executor::one_of<T, int, unsigned>), old - value)
LADDER_EXECUTOR_ATOMIC(atomicExch,
                       (ladder::executor::atomic_integer<T> || ladder::executor::one_of<T, float>),
                       (static_cast<void>(old), value))
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

template <class T>
T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  static_assert(ladder::executor::atomic_integer<T> || ladder::executor::one_of<T, unsigned short>,
                "atomicCAS does not exist for this type");
  ladder::executor::count_atomic();
  __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return compare;
}
template <class T>
T atomicCAS_system(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  return atomicCAS(address, compare, value);
}
template <class T>
T atomicCAS_block(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  return atomicCAS(address, compare, value);
}

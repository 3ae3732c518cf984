#pragma once
/// @file
/// Loads and stores with a hint for the cache: the executor has no cache to hint at.

#include "executor/atomics.h"

#define LADDER_EXECUTOR_LOAD(NAME)                  \
  template <class T>                                \
  LADDER_EXECUTOR_INLINE T NAME(const T* address) { \
    return *address;                                \
  }
LADDER_EXECUTOR_LOAD(__ldg)
LADDER_EXECUTOR_LOAD(__ldca)
LADDER_EXECUTOR_LOAD(__ldcg)
LADDER_EXECUTOR_LOAD(__ldcs)
LADDER_EXECUTOR_LOAD(__ldlu)
LADDER_EXECUTOR_LOAD(__ldcv)
#undef LADDER_EXECUTOR_LOAD
#define LADDER_EXECUTOR_STORE(NAME)                                                \
  template <class T>                                                               \
  LADDER_EXECUTOR_INLINE void NAME(T* address, ladder::executor::Given<T> value) { \
    *address = value;                                                              \
  }
LADDER_EXECUTOR_STORE(__stwb)
LADDER_EXECUTOR_STORE(__stcg)
LADDER_EXECUTOR_STORE(__stcs)
LADDER_EXECUTOR_STORE(__stwt)
#undef LADDER_EXECUTOR_STORE

/// What the compiler may assume.
#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? static_cast<void>(0) : __builtin_unreachable())
#endif
inline void __prof_trigger(int) {}
inline void __brkpt() {}

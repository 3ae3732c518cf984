#pragma once
/// @file
/// CUDA's words that are not C++.

/// Defined when the executor compiles a .cu file, not when nvcc does.
#define LADDER_EXECUTOR 1
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

#ifndef LADDER_EXECUTOR_LINT  // clang has these words itself: common/executor/lint
#define __global__
#define __device__
#define __host__
#ifdef LADDER_EXECUTOR_OBSERVED  // the tag in its symbol's name distinguishes it from global memory
#define __constant__ __attribute__((abi_tag("cuda_constant")))
#else
#define __constant__
#endif
#define __managed__
#define __grid_constant__
#define __device_builtin__
#define __cudart_builtin__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB
/// One thread of the machine runs one block at a time, so a block's shared memory is that thread's own
/// memory. The tag becomes part of the symbol's name: by it the runtime finds shared variables, and nothing
/// else, to poison.
#define __shared__ static thread_local __attribute__((abi_tag("cuda_shared")))
#endif
/// `alignas` may not follow `static`; the rewriter inserts this instead.
#define LADDER_EXECUTOR_ALIGNED(n) __attribute__((aligned(n)))

/// What the rewriter puts at the start of a kernel's body: for instrumented builds, which kernel runs. The
/// symbol of the variable has the kernel's mangled name in it, as those of the kernel's shared variables
/// have.
#ifdef LADDER_EXECUTOR_OBSERVED
#define LADDER_EXECUTOR_KERNEL             \
  static char ladder_executor_kernel_mark; \
  ::ladder::executor::observe_kernel(&ladder_executor_kernel_mark);
#else
#define LADDER_EXECUTOR_KERNEL
#endif

/// Behind it, when the kernel has __launch_bounds__: the runtime reads it by its symbol.
#define LADDER_EXECUTOR_BOUNDS(...)                                    \
  static const unsigned ladder_executor_bounds __attribute__((used)) = \
      ::ladder::executor::first_bound(__VA_ARGS__);

/// For functions that the observed mode counts where they are called: their hooks must be in the student's
/// function.
#ifdef LADDER_EXECUTOR_OBSERVED
#define LADDER_EXECUTOR_INLINE inline __attribute__((always_inline))
#else
#define LADDER_EXECUTOR_INLINE inline
#endif

#pragma once
/// @file
/// CUDA's words that are not C++.

/// Defined when the executor compiles a .cu file, not when nvcc does.
#define LADDER_EXECUTOR 1

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __device_builtin__
#define __cudart_builtin__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB

/// One thread of the machine runs one block at a time, so a block's shared memory is that thread's own memory.
/// The tag becomes part of the symbol's name: by it the runtime finds shared variables, and nothing else, to poison.
#define __shared__ static thread_local __attribute__((abi_tag("cuda_shared")))
/// `alignas` may not stand after `static`; the rewriter puts this in its place.
#define LADDER_EXECUTOR_ALIGNED(n) __attribute__((aligned(n)))

#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

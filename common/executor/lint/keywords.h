#pragma once
/// @file
/// CUDA's keywords as clang's attributes, and the part of the C and C++ libraries that a device has, too.
/// Included before all other headers: clang's own wrappers of the C++ library use these keywords.

#define LADDER_EXECUTOR_LINT 1

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __device_builtin__
#define __cudart_builtin__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB

// Every function declared between these is for the device, or for both sides. The executor's headers do not
// mark functions: on the executor there is only one side.
#define LADDER_LINT_DEVICE _Pragma("clang attribute push(__attribute__((device)), apply_to = function)")
#define LADDER_LINT_BOTH                                                        \
  _Pragma("clang attribute push(__attribute__((device)), apply_to = function)") \
      _Pragma("clang attribute push(__attribute__((host)), apply_to = function)")
#define LADDER_LINT_END _Pragma("clang attribute pop")

// A C++20 library makes containers constexpr, and clang takes constexpr functions for both sides: then
// std::vector would be right in a kernel. Hence the rules of C++17: only simple functions (std::max,
// std::numeric_limits, std::array) stay constexpr.
#include <bits/c++config.h>
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR

#include <__clang_cuda_math_forward_declares.h>

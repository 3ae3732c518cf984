#pragma once
/// @file
/// Given from g9 on: PTX's approximation of a reciprocal root.

#ifdef LADDER_EXECUTOR
#include <cmath>

#include "executor/unobserved_begin.h"
#endif

namespace npb_ep {

/// 1 / sqrt(x) for x > 0, wrong by less than 1.5 2^-20 of it: a GPU's approximation reads the upper word of x
/// and writes that of the result, each with 20 bits of a fraction. CUDA's rsqrt begins with it.
#ifdef LADDER_EXECUTOR
LADDER_EXECUTOR_UNOBSERVED __device__ inline double approximate_reciprocal_root(double x) {
  const double upper = __hiloint2double(__double2hiint(x), 0);
  return __hiloint2double(__double2hiint(1 / std::sqrt(upper)), 0);
}

#include "executor/unobserved_end.h"
#else
__device__ inline double approximate_reciprocal_root(double x) {
  double root;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(root) : "d"(x));
  return root;
}
#endif

}  // namespace npb_ep

#pragma once
/// @file
/// The executor's headers, each marked with the side that may call its functions.

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

// The part of the C library that a device has. The last parameter only tells them from the host's: of two
// functions that differ in their side alone a precompiled header keeps one.
struct OfDevice {};
extern "C" {
__device__ int printf(const char*, ...) noexcept;
__device__ void __assert_fail(const char*, const char*, unsigned, const char*) noexcept;
}
__device__ void* malloc(size_t, OfDevice = {}) noexcept;
__device__ void free(void*, OfDevice = {}) noexcept;
__device__ void* memcpy(void*, const void*, size_t, OfDevice = {}) noexcept;
__device__ void* memset(void*, int, size_t, OfDevice = {}) noexcept;
__device__ long clock(OfDevice = {}) noexcept;

// The C library's functions of float, and those that clang's own list of device functions leaves out.
#define LADDER_LINT_FLOAT(NAME) __device__ float NAME(float)
#define LADDER_LINT_FLOAT2(NAME) __device__ float NAME(float, float)
#define LADDER_LINT_ROUND(TYPE, NAME) __device__ TYPE NAME(float)
#define LADDER_LINT_BESSEL(NAME)  \
  __device__ double NAME(double); \
  __device__ float NAME##f(float)
LADDER_LINT_FLOAT(acosf);
LADDER_LINT_FLOAT(acoshf);
LADDER_LINT_FLOAT(asinf);
LADDER_LINT_FLOAT(asinhf);
LADDER_LINT_FLOAT(atanf);
LADDER_LINT_FLOAT(atanhf);
LADDER_LINT_FLOAT(cbrtf);
LADDER_LINT_FLOAT(ceilf);
LADDER_LINT_FLOAT(cosf);
LADDER_LINT_FLOAT(coshf);
LADDER_LINT_FLOAT(erff);
LADDER_LINT_FLOAT(erfcf);
LADDER_LINT_FLOAT(expf);
LADDER_LINT_FLOAT(exp2f);
LADDER_LINT_FLOAT(exp10f);
LADDER_LINT_FLOAT(expm1f);
LADDER_LINT_FLOAT(fabsf);
LADDER_LINT_FLOAT(floorf);
LADDER_LINT_FLOAT(lgammaf);
LADDER_LINT_FLOAT(logf);
LADDER_LINT_FLOAT(log10f);
LADDER_LINT_FLOAT(log1pf);
LADDER_LINT_FLOAT(log2f);
LADDER_LINT_FLOAT(logbf);
LADDER_LINT_FLOAT(nearbyintf);
LADDER_LINT_FLOAT(rintf);
LADDER_LINT_FLOAT(roundf);
LADDER_LINT_FLOAT(sinf);
LADDER_LINT_FLOAT(sinhf);
LADDER_LINT_FLOAT(sqrtf);
LADDER_LINT_FLOAT(tanf);
LADDER_LINT_FLOAT(tanhf);
LADDER_LINT_FLOAT(tgammaf);
LADDER_LINT_FLOAT(truncf);
LADDER_LINT_FLOAT2(atan2f);
LADDER_LINT_FLOAT2(copysignf);
LADDER_LINT_FLOAT2(fdimf);
LADDER_LINT_FLOAT2(fmaxf);
LADDER_LINT_FLOAT2(fminf);
LADDER_LINT_FLOAT2(fmodf);
LADDER_LINT_FLOAT2(hypotf);
LADDER_LINT_FLOAT2(nextafterf);
LADDER_LINT_FLOAT2(powf);
LADDER_LINT_FLOAT2(remainderf);
LADDER_LINT_ROUND(int, ilogbf);
LADDER_LINT_ROUND(long, lroundf);
LADDER_LINT_ROUND(long, lrintf);
LADDER_LINT_ROUND(long long, llroundf);
LADDER_LINT_ROUND(long long, llrintf);
LADDER_LINT_BESSEL(j0);
LADDER_LINT_BESSEL(j1);
LADDER_LINT_BESSEL(y0);
LADDER_LINT_BESSEL(y1);
__device__ float fmaf(float, float, float);
__device__ float frexpf(float, int*);
__device__ float ldexpf(float, int);
__device__ float modff(float, float*);
__device__ float remquof(float, float, int*);
__device__ float scalbnf(float, int);
__device__ float scalblnf(float, long);
__device__ double exp10(double);
__device__ double hypot(double, double, double);
__device__ void sincos(double, double*, double*);
__device__ void sincosf(float, float*, float*);

LADDER_LINT_BOTH
#include "executor/errors.h"
#include "executor/site.h"
#include "executor/types.h"
#include "executor/vectors.h"
LADDER_LINT_END
LADDER_LINT_END

// Declared again in threads.h, without host or device.
extern __device__ const uint3 threadIdx __asm__("ladder_executor_thread_index");
extern __device__ const uint3 blockIdx __asm__("ladder_executor_block_index");
extern __device__ const dim3 blockDim __asm__("ladder_executor_block_size");
extern __device__ const dim3 gridDim __asm__("ladder_executor_grid_size");

LADDER_LINT_DEVICE
#define __thread
#include "executor/threads.h"
#undef __thread
#include "executor/atomics.h"
#include "executor/hints.h"
// Both sides in CUDA; but glibc has functions of these names, which must not get a second side.
#include "executor/math.h"
#include "executor/warp.h"
LADDER_LINT_END

LADDER_LINT_BOTH
#include "executor/intrinsics.h"
LADDER_LINT_END
LADDER_LINT_END

// Everything else is for the host.
#include_next <cuda_runtime.h>

// Clang turns <<<grid, block, shared, stream>>> into a call of one of these.
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void* = nullptr);
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = nullptr);

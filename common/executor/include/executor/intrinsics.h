#pragma once
/// @file
/// Mathematical and bit functions that exist in CUDA without a header.
/// The fast forms (__expf ...) are as exact as the plain ones here: a GPU's are less exact.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>

#include "executor/warp.h"

using uint = unsigned int;
using ushort = unsigned short;

namespace ladder::executor {
template <class A, class B>
constexpr bool comparable = (std::is_integral_v<A> && std::is_integral_v<B>) ||
                            (std::is_floating_point_v<A> && std::is_floating_point_v<B>);
}

// min and max of two integers or two floating point numbers, also of different types, as CUDA has them.
template <class A, class B>
requires ladder::executor::comparable<A, B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
requires ladder::executor::comparable<A, B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}
constexpr unsigned umin(unsigned a, unsigned b) {
  return b < a ? b : a;
}
constexpr unsigned umax(unsigned a, unsigned b) {
  return a < b ? b : a;
}

// Bits
constexpr int __popc(unsigned x) {
  return __builtin_popcount(x);
}
constexpr int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
constexpr int __ffs(int x) {
  return __builtin_ffs(x);
}
constexpr int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
constexpr int __clz(int x) {
  return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
constexpr int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
constexpr unsigned long long __brevll(unsigned long long x) {
  unsigned long long result = 0;
  for (int i = 0; i < 64; ++i) result |= (x >> i & 1) << (63 - i);
  return result;
}
constexpr unsigned __brev(unsigned x) {
  return static_cast<unsigned>(__brevll(x) >> 32);
}
constexpr int __mul24(int a, int b) {
  return (a << 8 >> 8) * (b << 8 >> 8);
}
constexpr unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
constexpr unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(uint64_t{a} * b >> 32);
}
constexpr int __mulhi(int a, int b) {
  return static_cast<int>(int64_t{a} * b >> 32);
}
constexpr unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
constexpr long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}

// The same bits as another type
inline int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
inline unsigned __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned, x);
}
inline float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
inline float __uint_as_float(unsigned x) {
  return __builtin_bit_cast(float, x);
}
inline long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
inline double __longlong_as_double(long long x) {
  return __builtin_bit_cast(double, x);
}
inline int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
inline int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

// Conversions
inline float __int2float_rn(int x) {
  return static_cast<float>(x);
}
inline float __uint2float_rn(unsigned x) {
  return static_cast<float>(x);
}
inline double __int2double_rn(int x) {
  return x;
}
inline float __double2float_rn(double x) {
  return static_cast<float>(x);
}
inline int __float2int_rn(float x) {
  return static_cast<int>(rintf(x));
}
inline int __float2int_rz(float x) {
  return static_cast<int>(x);
}
inline int __float2int_rd(float x) {
  return static_cast<int>(floorf(x));
}
inline int __float2int_ru(float x) {
  return static_cast<int>(ceilf(x));
}
inline int __double2int_rn(double x) {
  return static_cast<int>(rint(x));
}
inline int __double2int_rz(double x) {
  return static_cast<int>(x);
}
inline int __double2int_rd(double x) {
  return static_cast<int>(floor(x));
}
inline long long __double2ll_rn(double x) {
  return llrint(x);
}
inline long long __double2ll_rz(double x) {
  return static_cast<long long>(x);
}
inline double __ll2double_rn(long long x) {
  return static_cast<double>(x);
}

// Arithmetic, rounded to nearest
inline float __fadd_rn(float a, float b) {
  return a + b;
}
inline float __fsub_rn(float a, float b) {
  return a - b;
}
inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline float __fdiv_rn(float a, float b) {
  return a / b;
}
inline float __frcp_rn(float a) {
  return 1 / a;
}
inline float __fsqrt_rn(float a) {
  return sqrtf(a);
}
inline float __frsqrt_rn(float a) {
  return 1 / sqrtf(a);
}
inline float __fmaf_rn(float a, float b, float c) {
  return fmaf(a, b, c);
}
inline double __dadd_rn(double a, double b) {
  return a + b;
}
inline double __dsub_rn(double a, double b) {
  return a - b;
}
inline double __dmul_rn(double a, double b) {
  return a * b;
}
inline double __ddiv_rn(double a, double b) {
  return a / b;
}
inline double __drcp_rn(double a) {
  return 1 / a;
}
inline double __dsqrt_rn(double a) {
  return sqrt(a);
}
inline double __fma_rn(double a, double b, double c) {
  return fma(a, b, c);
}

// Functions that math.h lacks, and the fast ones
inline float rsqrtf(float x) {
  return 1 / sqrtf(x);
}
inline float rsqrt(float x) {
  return 1 / sqrtf(x);
}
inline double rsqrt(double x) {
  return 1 / sqrt(x);
}
inline double rcbrt(double x) {
  return 1 / cbrt(x);
}
inline double sinpi(double x) {
  return sin(x * 3.14159265358979323846);
}
inline double cospi(double x) {
  return cos(x * 3.14159265358979323846);
}
inline float __expf(float x) {
  return expf(x);
}
inline float __exp10f(float x) {
  return powf(10, x);
}
inline float __logf(float x) {
  return logf(x);
}
inline float __log2f(float x) {
  return log2f(x);
}
inline float __log10f(float x) {
  return log10f(x);
}
inline float __powf(float x, float y) {
  return powf(x, y);
}
inline float __sinf(float x) {
  return sinf(x);
}
inline float __cosf(float x) {
  return cosf(x);
}
inline float __tanf(float x) {
  return tanf(x);
}
inline float __fdividef(float a, float b) {
  return a / b;
}
inline float fdividef(float a, float b) {
  return a / b;
}
inline float __saturatef(float x) {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}

// Loads and stores with a cache hint: the executor has no cache to hint at.
#define LADDER_EXECUTOR_LOAD(NAME) \
  template <class T>               \
  T NAME(const T* address) {       \
    return *address;               \
  }
LADDER_EXECUTOR_LOAD(__ldg)
LADDER_EXECUTOR_LOAD(__ldca)
LADDER_EXECUTOR_LOAD(__ldcg)
LADDER_EXECUTOR_LOAD(__ldcs)
LADDER_EXECUTOR_LOAD(__ldlu)
LADDER_EXECUTOR_LOAD(__ldcv)
#undef LADDER_EXECUTOR_LOAD
#define LADDER_EXECUTOR_STORE(NAME)                      \
  template <class T>                                     \
  void NAME(T* address, std::type_identity_t<T> value) { \
    *address = value;                                    \
  }
LADDER_EXECUTOR_STORE(__stwb)
LADDER_EXECUTOR_STORE(__stcg)
LADDER_EXECUTOR_STORE(__stcs)
LADDER_EXECUTOR_STORE(__stwt)
#undef LADDER_EXECUTOR_STORE

#pragma once
/// @file
/// Arithmetic and conversions with the rounding in their names, __fadd_rn ... __ull2double_ru, and casts of
/// bits.

#include <math.h>

#include "executor/rounding.h"

// A line an operation: name without its suffix, result, parameters, what it is to nearest, the function and
// its arguments for the other three.
#define LADDER_ARGUMENTS(...) __VA_ARGS__
#define LADDER_ROUNDED(NAME, TYPE, PARAMETERS, NEAREST, FUNCTION, ARGUMENTS) \
  inline TYPE NAME##_rn PARAMETERS {                                         \
    return NEAREST;                                                          \
  }                                                                          \
  LADDER_DIRECTED(NAME##_rz, TYPE, PARAMETERS, FUNCTION, ARGUMENTS, zero)    \
  LADDER_DIRECTED(NAME##_ru, TYPE, PARAMETERS, FUNCTION, ARGUMENTS, up)      \
  LADDER_DIRECTED(NAME##_rd, TYPE, PARAMETERS, FUNCTION, ARGUMENTS, down)
#define LADDER_DIRECTED(NAME, TYPE, PARAMETERS, FUNCTION, ARGUMENTS, ROUNDING)                           \
  inline TYPE NAME PARAMETERS {                                                                          \
    return ladder::executor::FUNCTION(LADDER_ARGUMENTS ARGUMENTS, ladder::executor::Rounding::ROUNDING); \
  }
LADDER_ROUNDED(__fadd, float, (float a, float b), a + b, rounded_add, (a, b))
LADDER_ROUNDED(__fsub, float, (float a, float b), a - b, rounded_add, (a, -b))
LADDER_ROUNDED(__fmul, float, (float a, float b), a* b, rounded_multiply, (a, b))
LADDER_ROUNDED(__fdiv, float, (float a, float b), a / b, rounded_divide, (a, b))
LADDER_ROUNDED(__frcp, float, (float a), 1 / a, rounded_divide, (1.0f, a))
LADDER_ROUNDED(__fsqrt, float, (float a), sqrtf(a), rounded_root, (a))
LADDER_ROUNDED(__dadd, double, (double a, double b), a + b, rounded_add, (a, b))
LADDER_ROUNDED(__dsub, double, (double a, double b), a - b, rounded_add, (a, -b))
LADDER_ROUNDED(__dmul, double, (double a, double b), a* b, rounded_multiply, (a, b))
LADDER_ROUNDED(__ddiv, double, (double a, double b), a / b, rounded_divide, (a, b))
LADDER_ROUNDED(__drcp, double, (double a), 1 / a, rounded_divide, (1.0, a))
LADDER_ROUNDED(__dsqrt, double, (double a), sqrt(a), rounded_root, (a))
LADDER_ROUNDED(__fmaf, float, (float a, float b, float c), fmaf(a, b, c), rounded_fma, (a, b, c))
LADDER_ROUNDED(__fma, double, (double a, double b, double c), fma(a, b, c), rounded_fma, (a, b, c))

// To floating point numbers
LADDER_ROUNDED(__double2float, float, (double x), static_cast<float>(x), rounded_float, (x))
LADDER_ROUNDED(__int2float, float, (int x), static_cast<float>(x), rounded_float, (static_cast<long long>(x)))
LADDER_ROUNDED(__uint2float, float, (unsigned x), static_cast<float>(x), rounded_float,
               (static_cast<unsigned long long>(x)))
LADDER_ROUNDED(__ll2float, float, (long long x), static_cast<float>(x), rounded_float, (x))
LADDER_ROUNDED(__ull2float, float, (unsigned long long x), static_cast<float>(x), rounded_float, (x))
LADDER_ROUNDED(__ll2double, double, (long long x), static_cast<double>(x), rounded_double, (x))
LADDER_ROUNDED(__ull2double, double, (unsigned long long x), static_cast<double>(x), rounded_double, (x))
inline double __int2double_rn(int x) {
  return x;
}
inline double __uint2double_rn(unsigned x) {
  return x;
}
inline float __frsqrt_rn(float x) {
  return static_cast<float>(1 / sqrt(static_cast<double>(x)));
}
#undef LADDER_ROUNDED
#undef LADDER_DIRECTED
#undef LADDER_ARGUMENTS

// To integers
#define LADDER_INTEGER(NAME, TYPE, FROM, ROUNDING)                                      \
  inline TYPE NAME(FROM x) {                                                            \
    return ladder::executor::to_integer<TYPE>(x, ladder::executor::Rounding::ROUNDING); \
  }
#define LADDER_INTEGERS(NAME, TYPE, FROM)        \
  LADDER_INTEGER(NAME##_rn, TYPE, FROM, nearest) \
  LADDER_INTEGER(NAME##_rz, TYPE, FROM, zero)    \
  LADDER_INTEGER(NAME##_ru, TYPE, FROM, up)      \
  LADDER_INTEGER(NAME##_rd, TYPE, FROM, down)
LADDER_INTEGERS(__float2int, int, float)
LADDER_INTEGERS(__float2uint, unsigned, float)
LADDER_INTEGERS(__float2ll, long long, float)
LADDER_INTEGERS(__float2ull, unsigned long long, float)
LADDER_INTEGERS(__double2int, int, double)
LADDER_INTEGERS(__double2uint, unsigned, double)
LADDER_INTEGERS(__double2ll, long long, double)
LADDER_INTEGERS(__double2ull, unsigned long long, double)
#undef LADDER_INTEGER
#undef LADDER_INTEGERS

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

// The names without a rounding, from older toolkits
inline int float2int(float x, int = 0) {
  return __float2int_rz(x);
}
inline float int2float(int x, int = 0) {
  return __int2float_rn(x);
}

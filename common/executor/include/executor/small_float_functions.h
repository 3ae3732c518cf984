#pragma once
/// @file
/// The functions that __half and __nv_bfloat16 share, for one number (__hadd) and for two (__hadd2).
/// A macro a group: the names are CUDA's, and hundreds.

#include "executor/atomics.h"
#include "executor/small_float.h"

#include "executor/unobserved_begin.h"

namespace ladder::executor {

template <class F, class Operation>
constexpr SmallFloatPair<F> each(SmallFloatPair<F> a, Operation operation) {
  return {operation(a.x), operation(a.y)};
}
template <class F, class Operation>
constexpr SmallFloatPair<F> each(SmallFloatPair<F> a, SmallFloatPair<F> b, Operation operation) {
  return {operation(a.x, b.x), operation(a.y, b.y)};
}

template <class F>
constexpr bool is_nan(SmallFloat<F> a) {
  return a != a;
}

/// Cut to 0 ... 1; a NaN becomes 0.
template <class F>
constexpr SmallFloat<F> saturated(SmallFloat<F> a) {
  const float x = a;
  return x > 0 ? (x < 1 ? a : SmallFloat<F>(1)) : SmallFloat<F>(0);
}

/// The greater number; of a number and a NaN the number. +0 is greater than -0.
template <class F>
constexpr SmallFloat<F> greater_of(SmallFloat<F> a, SmallFloat<F> b) {
  if (is_nan(a)) return b;
  if (a == b) return a.bits() >> 15 ? b : a;
  return a < b ? b : a;
}
template <class F>
constexpr SmallFloat<F> less_of(SmallFloat<F> a, SmallFloat<F> b) {
  if (is_nan(a)) return b;
  if (a == b) return a.bits() >> 15 ? a : b;
  return b < a ? b : a;
}

template <class F>
SmallFloat<F> fused(SmallFloat<F> a, SmallFloat<F> b, SmallFloat<F> c) {
  return sticky_fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
}
template <class F>
SmallFloat<F> not_negative(SmallFloat<F> a) {
  return is_nan(a) ? a : greater_of(a, SmallFloat<F>(0));
}

template <class F>
using Small = SmallFloat<F>;
template <class F>
using SmallPair = SmallFloatPair<F>;

}  // namespace ladder::executor

#define LADDER_SMALL template <class F>
#define LADDER_SMALL_ONE ladder::executor::Small<F>
#define LADDER_SMALL_TWO ladder::executor::SmallPair<F>

// ---------------------------------------------------------------- arithmetic

#define LADDER_SMALL_BINARY(NAME, NAME2, EXPRESSION)                                      \
  LADDER_SMALL constexpr LADDER_SMALL_ONE NAME(LADDER_SMALL_ONE a, LADDER_SMALL_ONE b) {  \
    return EXPRESSION;                                                                    \
  }                                                                                       \
  LADDER_SMALL constexpr LADDER_SMALL_TWO NAME2(LADDER_SMALL_TWO p, LADDER_SMALL_TWO q) { \
    return ladder::executor::each(p, q, [](auto a, auto b) { return EXPRESSION; });       \
  }
LADDER_SMALL_BINARY(__hadd, __hadd2, a + b)
LADDER_SMALL_BINARY(__hsub, __hsub2, a - b)
LADDER_SMALL_BINARY(__hmul, __hmul2, a* b)
LADDER_SMALL_BINARY(__hdiv, __h2div, a / b)
LADDER_SMALL_BINARY(__hadd_rn, __hadd2_rn, a + b)
LADDER_SMALL_BINARY(__hsub_rn, __hsub2_rn, a - b)
LADDER_SMALL_BINARY(__hmul_rn, __hmul2_rn, a* b)
LADDER_SMALL_BINARY(__hadd_sat, __hadd2_sat, ladder::executor::saturated(a + b))
LADDER_SMALL_BINARY(__hsub_sat, __hsub2_sat, ladder::executor::saturated(a - b))
LADDER_SMALL_BINARY(__hmul_sat, __hmul2_sat, ladder::executor::saturated(a* b))
LADDER_SMALL_BINARY(__hmax, __hmax2, ladder::executor::greater_of(a, b))
LADDER_SMALL_BINARY(__hmin, __hmin2, ladder::executor::less_of(a, b))
LADDER_SMALL_BINARY(__hmax_nan, __hmax2_nan, a != a ? a : b != b ? b : ladder::executor::greater_of(a, b))
LADDER_SMALL_BINARY(__hmin_nan, __hmin2_nan, a != a ? a : b != b ? b : ladder::executor::less_of(a, b))
#undef LADDER_SMALL_BINARY

#define LADDER_SMALL_FUSED(NAME, NAME2, EXPRESSION)                                                 \
  LADDER_SMALL LADDER_SMALL_ONE NAME(LADDER_SMALL_ONE a, LADDER_SMALL_ONE b, LADDER_SMALL_ONE c) {  \
    const auto result = ladder::executor::fused(a, b, c);                                           \
    return EXPRESSION;                                                                              \
  }                                                                                                 \
  LADDER_SMALL LADDER_SMALL_TWO NAME2(LADDER_SMALL_TWO a, LADDER_SMALL_TWO b, LADDER_SMALL_TWO c) { \
    return {NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y)};                                              \
  }
LADDER_SMALL_FUSED(__hfma, __hfma2, result)
LADDER_SMALL_FUSED(__hfma_sat, __hfma2_sat, ladder::executor::saturated(result))
LADDER_SMALL_FUSED(__hfma_relu, __hfma2_relu, ladder::executor::not_negative(result))
#undef LADDER_SMALL_FUSED

/// a * b + c of complex numbers (real, imaginary).
LADDER_SMALL LADDER_SMALL_TWO __hcmadd(LADDER_SMALL_TWO a, LADDER_SMALL_TWO b, LADDER_SMALL_TWO c) {
  const LADDER_SMALL_ONE real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
  return {__hfma(-a.y, b.y, real), __hfma(a.y, b.x, imaginary)};
}

// ---------------------------------------------------------------- functions of one number

#define LADDER_SMALL_UNARY(NAME, NAME2, EXPRESSION)               \
  LADDER_SMALL LADDER_SMALL_ONE NAME(LADDER_SMALL_ONE number) {   \
    [[maybe_unused]] const double x = static_cast<float>(number); \
    return EXPRESSION;                                            \
  }                                                               \
  LADDER_SMALL LADDER_SMALL_TWO NAME2(LADDER_SMALL_TWO p) {       \
    return {NAME(p.x), NAME(p.y)};                                \
  }
LADDER_SMALL_UNARY(__habs, __habs2,
                   ladder::executor::SmallFloatBits<F>{static_cast<unsigned short>(number.bits() & 0x7fffu)})
LADDER_SMALL_UNARY(__hneg, __hneg2, -number)
LADDER_SMALL_UNARY(hsqrt, h2sqrt, sqrt(x))
LADDER_SMALL_UNARY(hrsqrt, h2rsqrt, 1 / sqrt(x))
LADDER_SMALL_UNARY(hrcp, h2rcp, 1 / x)
LADDER_SMALL_UNARY(hlog, h2log, log(x))
LADDER_SMALL_UNARY(hlog2, h2log2, log2(x))
LADDER_SMALL_UNARY(hlog10, h2log10, log10(x))
LADDER_SMALL_UNARY(hexp, h2exp, exp(x))
LADDER_SMALL_UNARY(hexp2, h2exp2, exp2(x))
LADDER_SMALL_UNARY(hexp10, h2exp10, pow(10.0, x))
LADDER_SMALL_UNARY(hcos, h2cos, cos(x))
LADDER_SMALL_UNARY(hsin, h2sin, sin(x))
LADDER_SMALL_UNARY(htanh, h2tanh, tanh(x))
LADDER_SMALL_UNARY(htanh_approx, h2tanh_approx, tanh(x))
LADDER_SMALL_UNARY(htrunc, h2trunc, trunc(x))
LADDER_SMALL_UNARY(hceil, h2ceil, ceil(x))
LADDER_SMALL_UNARY(hfloor, h2floor, floor(x))
LADDER_SMALL_UNARY(hrint, h2rint, rint(x))
#undef LADDER_SMALL_UNARY

LADDER_SMALL constexpr bool __hisnan(LADDER_SMALL_ONE a) {
  return a != a;
}
/// 1 for infinity, -1 for minus infinity.
LADDER_SMALL constexpr int __hisinf(LADDER_SMALL_ONE a) {
  const float x = a;
  return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}
LADDER_SMALL constexpr LADDER_SMALL_TWO __hisnan2(LADDER_SMALL_TWO p) {
  return ladder::executor::each(p, [](auto a) -> LADDER_SMALL_ONE { return a != a ? 1 : 0; });
}

// ---------------------------------------------------------------- comparisons

// The forms with u are true when one side is a NaN, the others false. Of two numbers: 1 and 0 each (__heq2),
// all bits each (__heq2_mask), or whether it holds for both (__hbeq2).
#define LADDER_SMALL_COMPARE(NAME, EXPRESSION)                                                   \
  LADDER_SMALL constexpr bool __h##NAME(LADDER_SMALL_ONE x, LADDER_SMALL_ONE y) {                \
    const float a = x, b = y;                                                                    \
    return EXPRESSION;                                                                           \
  }                                                                                              \
  LADDER_SMALL constexpr LADDER_SMALL_TWO __h##NAME##2(LADDER_SMALL_TWO p, LADDER_SMALL_TWO q) { \
    return {__h##NAME(p.x, q.x) ? 1 : 0, __h##NAME(p.y, q.y) ? 1 : 0};                           \
  }                                                                                              \
  LADDER_SMALL constexpr unsigned __h##NAME##2_mask(LADDER_SMALL_TWO p, LADDER_SMALL_TWO q) {    \
    return (__h##NAME(p.x, q.x) ? 0xffffu : 0) | (__h##NAME(p.y, q.y) ? 0xffff0000u : 0);        \
  }                                                                                              \
  LADDER_SMALL constexpr bool __hb##NAME##2(LADDER_SMALL_TWO p, LADDER_SMALL_TWO q) {            \
    return __h##NAME(p.x, q.x) && __h##NAME(p.y, q.y);                                           \
  }
LADDER_SMALL_COMPARE(eq, a == b)
LADDER_SMALL_COMPARE(ne, a<b || a> b)
LADDER_SMALL_COMPARE(le, a <= b)
LADDER_SMALL_COMPARE(ge, a >= b)
LADDER_SMALL_COMPARE(lt, a < b)
LADDER_SMALL_COMPARE(gt, a > b)
LADDER_SMALL_COMPARE(equ, !(a < b || a > b))
LADDER_SMALL_COMPARE(neu, a != b)
LADDER_SMALL_COMPARE(leu, !(a > b))
LADDER_SMALL_COMPARE(geu, !(a < b))
LADDER_SMALL_COMPARE(ltu, !(a >= b))
LADDER_SMALL_COMPARE(gtu, !(a <= b))
#undef LADDER_SMALL_COMPARE

// ---------------------------------------------------------------- pairs and their halves

LADDER_SMALL constexpr float __low2float(LADDER_SMALL_TWO p) {
  return p.x;
}
LADDER_SMALL constexpr float __high2float(LADDER_SMALL_TWO p) {
  return p.y;
}
LADDER_SMALL constexpr LADDER_SMALL_TWO __lowhigh2highlow(LADDER_SMALL_TWO p) {
  return {p.y, p.x};
}

// ---------------------------------------------------------------- atomics

LADDER_SMALL LADDER_EXECUTOR_INLINE LADDER_SMALL_ONE
atomicAdd(LADDER_SMALL_ONE* address, ladder::executor::Given<LADDER_SMALL_ONE> value) {
  return ladder::executor::atomic_update(
      address, [value](LADDER_SMALL_ONE old) LADDER_EXECUTOR_UNOBSERVED { return old + value; });
}
LADDER_SMALL LADDER_EXECUTOR_INLINE LADDER_SMALL_TWO
atomicAdd(LADDER_SMALL_TWO* address, ladder::executor::Given<LADDER_SMALL_TWO> value) {
  return ladder::executor::atomic_update(
      address, [value](LADDER_SMALL_TWO old) LADDER_EXECUTOR_UNOBSERVED { return old + value; });
}

#undef LADDER_SMALL
#undef LADDER_SMALL_ONE
#undef LADDER_SMALL_TWO

#include "executor/unobserved_end.h"

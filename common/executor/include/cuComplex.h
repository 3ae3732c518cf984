#pragma once
/// @file
/// Complex numbers as pairs: real part x, imaginary part y.

#include "cuda_runtime.h"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

namespace ladder::executor {

template <class Complex>
constexpr Complex complex_product(Complex a, Complex b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
/// Scaled, so that the squares do not overflow.
template <class Complex, class Real>
constexpr Complex complex_quotient(Complex a, Complex b, Real scale) {
  const Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const Real r = 1 / (bx * bx + by * by);
  return {(ax * bx + ay * by) * r, (ay * bx - ax * by) * r};
}

}  // namespace ladder::executor

// Once for float, with names that end in f, and once for double.
#define LADDER_EXECUTOR_COMPLEX(COMPLEX, REAL, F, FMA, ABS, HYPOT)                                 \
  inline COMPLEX make_##COMPLEX(REAL x, REAL y) {                                                  \
    return {x, y};                                                                                 \
  }                                                                                                \
  inline REAL cuCreal##F(COMPLEX a) {                                                              \
    return a.x;                                                                                    \
  }                                                                                                \
  inline REAL cuCimag##F(COMPLEX a) {                                                              \
    return a.y;                                                                                    \
  }                                                                                                \
  inline COMPLEX cuConj##F(COMPLEX a) {                                                            \
    return {a.x, -a.y};                                                                            \
  }                                                                                                \
  inline COMPLEX cuCadd##F(COMPLEX a, COMPLEX b) {                                                 \
    return {a.x + b.x, a.y + b.y};                                                                 \
  }                                                                                                \
  inline COMPLEX cuCsub##F(COMPLEX a, COMPLEX b) {                                                 \
    return {a.x - b.x, a.y - b.y};                                                                 \
  }                                                                                                \
  inline COMPLEX cuCmul##F(COMPLEX a, COMPLEX b) {                                                 \
    return ladder::executor::complex_product(a, b);                                                \
  }                                                                                                \
  inline COMPLEX cuCdiv##F(COMPLEX a, COMPLEX b) {                                                 \
    return ladder::executor::complex_quotient(a, b, static_cast<REAL>(1) / (ABS(b.x) + ABS(b.y))); \
  }                                                                                                \
  inline REAL cuCabs##F(COMPLEX a) {                                                               \
    return HYPOT(a.x, a.y);                                                                        \
  }                                                                                                \
  inline COMPLEX FMA(COMPLEX a, COMPLEX b, COMPLEX c) {                                            \
    return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                             \
  }
LADDER_EXECUTOR_COMPLEX(cuFloatComplex, float, f, cuCfmaf, fabsf, hypotf)
LADDER_EXECUTOR_COMPLEX(cuDoubleComplex, double, , cuCfma, fabs, hypot)
#undef LADDER_EXECUTOR_COMPLEX

inline cuComplex make_cuComplex(float x, float y) {
  return {x, y};
}
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return {a.x, a.y};
}
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}

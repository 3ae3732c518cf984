#pragma once
/// @file
/// Mathematical functions that CUDA has without a header, beyond those of math.h.
/// The fast forms (__expf ...) are as exact as the plain ones here: a GPU's are less exact.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <type_traits>

namespace ladder::executor {

template <class A, class B>
constexpr bool comparable = (std::is_integral_v<A> && std::is_integral_v<B>) ||
                            (std::is_floating_point_v<A> && std::is_floating_point_v<B>);

/// Of a number and a NaN the number, as fmin and fmax.
template <class T>
constexpr T less_of_numbers(T a, T b) {
  return b < a || a != a ? b : a;
}
template <class T>
constexpr T greater_of_numbers(T a, T b) {
  return a < b || a != a ? b : a;
}

}  // namespace ladder::executor

// min and max of two integers or two floating point numbers, also of different types, as CUDA has them.
template <class A, class B, std::enable_if_t<ladder::executor::comparable<A, B>, int> = 0>
constexpr std::common_type_t<A, B> min(A a, B b) {
  return ladder::executor::less_of_numbers<std::common_type_t<A, B>>(a, b);
}
template <class A, class B, std::enable_if_t<ladder::executor::comparable<A, B>, int> = 0>
constexpr std::common_type_t<A, B> max(A a, B b) {
  return ladder::executor::greater_of_numbers<std::common_type_t<A, B>>(a, b);
}
// Templates: programs define these names for their host code.
template <class = void>
constexpr unsigned umin(unsigned a, unsigned b) {
  return b < a ? b : a;
}
template <class = void>
constexpr unsigned umax(unsigned a, unsigned b) {
  return a < b ? b : a;
}
template <class = void>
constexpr long long llmin(long long a, long long b) {
  return b < a ? b : a;
}
template <class = void>
constexpr long long llmax(long long a, long long b) {
  return a < b ? b : a;
}
template <class = void>
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
template <class = void>
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}

using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

// ---------------------------------------------------------------- roots and lengths

namespace ladder::executor {
double reciprocal_root(double x);  // not inline: counters know it by its address
}
inline double rsqrt(double x) {
  return ladder::executor::reciprocal_root(x);
}
inline float rsqrtf(float x) {
  return static_cast<float>(1 / sqrt(static_cast<double>(x)));
}
inline float rsqrt(float x) {
  return rsqrtf(x);
}
inline double rcbrt(double x) {
  return 1 / cbrt(x);
}
inline float rcbrtf(float x) {
  return static_cast<float>(1 / cbrt(static_cast<double>(x)));
}
inline double rhypot(double x, double y) {
  return 1 / hypot(x, y);
}
inline float rhypotf(float x, float y) {
  return static_cast<float>(rhypot(x, y));
}
inline double norm3d(double x, double y, double z) {
  return hypot(hypot(x, y), z);
}
inline float norm3df(float x, float y, float z) {
  return static_cast<float>(norm3d(x, y, z));
}
inline double norm4d(double x, double y, double z, double w) {
  return hypot(norm3d(x, y, z), w);
}
inline float norm4df(float x, float y, float z, float w) {
  return static_cast<float>(norm4d(x, y, z, w));
}
inline double rnorm3d(double x, double y, double z) {
  return 1 / norm3d(x, y, z);
}
inline float rnorm3df(float x, float y, float z) {
  return static_cast<float>(rnorm3d(x, y, z));
}
inline double rnorm4d(double x, double y, double z, double w) {
  return 1 / norm4d(x, y, z, w);
}
inline float rnorm4df(float x, float y, float z, float w) {
  return static_cast<float>(rnorm4d(x, y, z, w));
}
inline double norm(int count, const double* x) {
  double length = 0;
  for (int i = 0; i < count; ++i) length = hypot(length, x[i]);
  return length;
}
inline float normf(int count, const float* x) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<double>(x[i]) * x[i];
  return static_cast<float>(sqrt(sum));
}

// ---------------------------------------------------------------- functions of the runtime

namespace ladder::executor {
double sine_of_pi(double x);
double cosine_of_pi(double x);
double inverse_erf(double x);
double inverse_erfc(double x);
double scaled_erfc(double x);
double normal_cdf(double x);
double bessel_i(int order, double x);
}  // namespace ladder::executor

// A double and a float form of each.
#define LADDER_FUNCTION(NAME, CALL)             \
  inline double NAME(double x) {                \
    return ladder::executor::CALL;              \
  }                                             \
  inline float NAME##f(float x) {               \
    return static_cast<float>(NAME(double{x})); \
  }                                             \
  inline float NAME(float x) {                  \
    return NAME##f(x);                          \
  }
LADDER_FUNCTION(sinpi, sine_of_pi(x))
LADDER_FUNCTION(cospi, cosine_of_pi(x))
LADDER_FUNCTION(erfinv, inverse_erf(x))
LADDER_FUNCTION(erfcinv, inverse_erfc(x))
LADDER_FUNCTION(erfcx, scaled_erfc(x))
LADDER_FUNCTION(normcdf, normal_cdf(x))
LADDER_FUNCTION(normcdfinv, inverse_erfc(2 * x) * -1.4142135623730951)
LADDER_FUNCTION(cyl_bessel_i0, bessel_i(0, x))
LADDER_FUNCTION(cyl_bessel_i1, bessel_i(1, x))
#undef LADDER_FUNCTION

inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
inline void sincos(float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
inline float exp10(float x) {
  return exp10f(x);
}

// ---------------------------------------------------------------- fast forms

inline float __expf(float x) {
  return expf(x);
}
inline float __exp10f(float x) {
  return exp10f(x);
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
inline void __sincosf(float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
inline float __tanf(float x) {
  return tanf(x);
}
inline float __tanhf(float x) {
  return tanhf(x);
}
inline float __fdividef(float a, float b) {
  return a / b;
}
inline float fdividef(float a, float b) {
  return a / b;
}
inline double fdivide(double a, double b) {
  return a / b;
}
inline float fdivide(float a, float b) {
  return a / b;
}
inline float __saturatef(float x) {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}

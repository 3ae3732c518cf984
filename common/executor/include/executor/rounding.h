#pragma once
/// @file
/// Arithmetic that rounds in a chosen direction, and conversions to integers as a GPU does them: out of range
/// saturates.

#include <limits>
#include <type_traits>

namespace ladder::executor {

/// The suffix of an intrinsic: _rn, _rz, _ru, _rd.
enum class Rounding { nearest, zero, up, down };

/// @name Operations in a rounding direction
/// The processor rounds them itself; in the runtime, because the compiler assumes "to nearest" in ordinary
/// files.
/// @{
float rounded_add(float a, float b, Rounding rounding);
double rounded_add(double a, double b, Rounding rounding);
float rounded_multiply(float a, float b, Rounding rounding);
double rounded_multiply(double a, double b, Rounding rounding);
float rounded_divide(float a, float b, Rounding rounding);
double rounded_divide(double a, double b, Rounding rounding);
float rounded_root(float a, Rounding rounding);
double rounded_root(double a, Rounding rounding);
float rounded_fma(float a, float b, float c, Rounding rounding);
double rounded_fma(double a, double b, double c, Rounding rounding);
float rounded_float(double x, Rounding rounding);
float rounded_float(long long x, Rounding rounding);
float rounded_float(unsigned long long x, Rounding rounding);
double rounded_double(long long x, Rounding rounding);
double rounded_double(unsigned long long x, Rounding rounding);
/// @}

/// A whole number: `x` rounded. To nearest: ties to even.
inline double whole(double x, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest:
      return __builtin_rint(x);
    case Rounding::zero:
      return __builtin_trunc(x);
    case Rounding::up:
      return __builtin_ceil(x);
    case Rounding::down:
      return __builtin_floor(x);
  }
  return x;
}

/// The integer nearest to `x` in that direction: the least or greatest one when it is out of range. A NaN
/// becomes 0 when it is a float (or shorter) and the integer has at most 32 bits, else the integer with only
/// the highest bit set.
template <class Integer, class Float>
Integer to_integer(Float x, Rounding rounding) {
  using Limits = std::numeric_limits<Integer>;
  constexpr int bits = 8 * sizeof(Integer);
  if (x != x)
    return sizeof(Integer) == 8 || sizeof(Float) == 8 ? static_cast<Integer>(1ull << (bits - 1)) : Integer{0};
  const double value = whole(x, rounding);
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  if (value >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<Integer>(value);
}

}  // namespace ladder::executor

/// @file
/// Arithmetic in a rounding direction. Operands and results are volatile: the compiler then keeps the
/// operation between the two changes of the direction.

#include "common/executor/include/executor/rounding.h"

#include <cfenv>
#include <cmath>

namespace ladder::executor {
namespace {

int direction(Rounding rounding) {
  switch (rounding) {
    case Rounding::zero:
      return FE_TOWARDZERO;
    case Rounding::up:
      return FE_UPWARD;
    case Rounding::down:
      return FE_DOWNWARD;
    case Rounding::nearest:
      break;
  }
  return FE_TONEAREST;
}

/// operation() with that rounding.
template <class Operation>
auto rounded(Rounding rounding, Operation operation) {
  const int before = std::fegetround();
  std::fesetround(direction(rounding));
  volatile auto result = operation();
  std::fesetround(before);
  return static_cast<decltype(operation())>(result);
}

template <class Result, class T>
Result converted(T x, Rounding rounding) {
  volatile T value = x;
  return rounded(rounding, [&] { return static_cast<Result>(value); });
}
template <class T, class Operation>
T combined(T x, T y, Rounding rounding, Operation operation) {
  volatile T a = x, b = y;
  return rounded(rounding, [&] { return operation(T{a}, T{b}); });
}
template <class T>
T multiplied_and_added(T x, T y, T z, Rounding rounding) {
  volatile T a = x, b = y, c = z;
  return rounded(rounding, [&] { return std::fma(T{a}, T{b}, T{c}); });
}

constexpr auto sum_of = [](auto a, auto b) { return a + b; };
constexpr auto product_of = [](auto a, auto b) { return a * b; };
constexpr auto quotient_of = [](auto a, auto b) { return a / b; };
constexpr auto root_of = [](auto a, auto) { return std::sqrt(a); };

}  // namespace

float rounded_add(float a, float b, Rounding rounding) {
  return combined(a, b, rounding, sum_of);
}
double rounded_add(double a, double b, Rounding rounding) {
  return combined(a, b, rounding, sum_of);
}
float rounded_multiply(float a, float b, Rounding rounding) {
  return combined(a, b, rounding, product_of);
}
double rounded_multiply(double a, double b, Rounding rounding) {
  return combined(a, b, rounding, product_of);
}
float rounded_divide(float a, float b, Rounding rounding) {
  return combined(a, b, rounding, quotient_of);
}
double rounded_divide(double a, double b, Rounding rounding) {
  return combined(a, b, rounding, quotient_of);
}
float rounded_root(float a, Rounding rounding) {
  return combined(a, a, rounding, root_of);
}
double rounded_root(double a, Rounding rounding) {
  return combined(a, a, rounding, root_of);
}
float rounded_fma(float a, float b, float c, Rounding rounding) {
  return multiplied_and_added(a, b, c, rounding);
}
double rounded_fma(double a, double b, double c, Rounding rounding) {
  return multiplied_and_added(a, b, c, rounding);
}
float rounded_float(double x, Rounding rounding) {
  return converted<float>(x, rounding);
}
float rounded_float(long long x, Rounding rounding) {
  return converted<float>(x, rounding);
}
float rounded_float(unsigned long long x, Rounding rounding) {
  // Folding what a double cannot hold into its last bit keeps the float right; the processor has no such
  // conversion.
  const auto wide = x >> 63 ? (x >> 1 | (x & 1)) : x;
  const float half = converted<float>(static_cast<long long>(wide), rounding);
  return x >> 63 ? 2 * half : half;
}
double rounded_double(long long x, Rounding rounding) {
  return converted<double>(x, rounding);
}
double rounded_double(unsigned long long x, Rounding rounding) {
  const auto wide = x >> 63 ? (x >> 1 | (x & 1)) : x;
  const double half = converted<double>(static_cast<long long>(wide), rounding);
  return x >> 63 ? 2 * half : half;
}

}  // namespace ladder::executor

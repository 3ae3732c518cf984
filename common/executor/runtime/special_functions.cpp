/// @file
/// Mathematical functions that CUDA has and the C library has not.

#include <cmath>
#include <limits>
#include <numbers>

#include "common/executor/include/executor/math.h"

namespace ladder::executor {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The inverse of erf to about nine digits (M. Giles, Approximating the erfinv function), from w = -log(1 -
/// x*x).
double inverse_erf_start(double x, double w) {
  if (w < 5) {
    constexpr double c[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                            -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
    double p = c[0];
    for (int i = 1; i < 9; ++i) p = c[i] + p * (w - 2.5);
    return p * x;
  }
  constexpr double c[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                          -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
  double p = c[0];
  for (int i = 1; i < 9; ++i) p = c[i] + p * (std::sqrt(w) - 3);
  return p * x;
}

}  // namespace

double sine_of_pi(double x) {
  if (!std::isfinite(x)) return nan;
  const double rest = std::fmod(x, 2.0);  // exact; the product below is small, so that its error is too
  const double near = std::rint(2 * rest), angle = (rest - near / 2) * std::numbers::pi;
  switch (static_cast<int>(near) & 3) {
    case 0:
      return std::sin(angle);
    case 1:
      return std::cos(angle);
    case 2:
      return -std::sin(angle);
    default:
      return -std::cos(angle);
  }
}

double cosine_of_pi(double x) {
  if (!std::isfinite(x)) return nan;
  const double rest = std::fmod(std::fabs(x), 2.0);
  const double near = std::rint(2 * rest), angle = (rest - near / 2) * std::numbers::pi;
  switch (static_cast<int>(near) & 3) {
    case 0:
      return std::cos(angle);
    case 1:
      return -std::sin(angle);
    case 2:
      return -std::cos(angle);
    default:
      return std::sin(angle);
  }
}

double reciprocal_root(double x) {
  return 1 / std::sqrt(x);
}

double inverse_erf(double x) {
  if (!(std::fabs(x) <= 1)) return nan;
  if (std::fabs(x) == 1) return std::copysign(infinite, x);
  if (std::fabs(x) > 0.5) return std::copysign(inverse_erfc(1 - std::fabs(x)), x);
  double y = inverse_erf_start(x, -std::log1p(-x * x));
  for (int i = 0; i < 2; ++i) y -= (std::erf(y) - x) / (2 * std::numbers::inv_sqrtpi * std::exp(-y * y));
  return y;
}

double inverse_erfc(double x) {
  if (!(x >= 0 && x <= 2)) return nan;
  if (x == 0) return infinite;
  if (x == 2) return -infinite;
  if (x > 1) return -inverse_erfc(2 - x);
  if (x >= 0.5) return inverse_erf(1 - x);
  const double log_x = std::log(x);
  double y = x > 1e-6 ? inverse_erf_start(1 - x, -std::log(x * (2 - x)))
                      : std::sqrt(-log_x - 0.5 * std::log(-log_x * std::numbers::pi));
  // Newton's method on the logarithm: erfc falls too fast for it otherwise.
  for (int i = 0; i < 4; ++i) {
    const double scaled = scaled_erfc(y);
    y += scaled / (2 * std::numbers::inv_sqrtpi) * (std::log(scaled) - y * y - log_x);
  }
  return y;
}

/// exp(x*x) * erfc(x)
double scaled_erfc(double x) {
  if (x < 3) return std::exp(x * x) * std::erfc(x);
  double fraction = x;  // Laplace's continued fraction, from its 60th term on
  for (int i = 60; i > 0; --i) fraction = x + 0.5 * i / fraction;
  return std::numbers::inv_sqrtpi / fraction;
}

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double bessel_i(int order, double x) {
  const double value = std::cyl_bessel_i(order, std::fabs(x));
  return order == 1 && x < 0 ? -value : value;
}

}  // namespace ladder::executor

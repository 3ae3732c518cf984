#pragma once
/// @file
/// Complex numbers for host and device: what the transforms of lesson 06 need of them.

namespace npb_ft {

/// A complex number: 16 bytes that a GPU moves in one access, since they are aligned to 16.
struct alignas(16) Complex {
  double re, im;
};
constexpr Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
constexpr Complex operator-(Complex a, Complex b) {
  return {a.re - b.re, a.im - b.im};
}
constexpr Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
constexpr Complex operator*(double s, Complex a) {
  return {s * a.re, s * a.im};
}

}  // namespace npb_ft

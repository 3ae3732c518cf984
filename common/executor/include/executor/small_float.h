#pragma once
/// @file
/// Floating point numbers of 16 bits: what is behind __half and __nv_bfloat16. Every operation is rounded
/// once, to the nearest number, as a GPU does it.

#include <math.h>
#include <stdint.h>

#include <type_traits>

#include "executor/rounding.h"

namespace ladder::executor {

/// 5 bits of exponent, 10 of fraction.
struct HalfFormat {
  static constexpr int fraction_bits = 10, bias = 15;
};
/// The upper half of a float.
struct BfloatFormat {
  static constexpr int fraction_bits = 7, bias = 127;
};

/// Whether a magnitude whose cut-off part is `rest`, with `half` for one half, is rounded away from zero.
constexpr bool rounds_away(Rounding rounding, bool negative, bool odd, uint64_t rest, uint64_t half) {
  switch (rounding) {
    case Rounding::nearest:
      return rest > half || (rest == half && odd);
    case Rounding::zero:
      return false;
    case Rounding::up:
      return !negative && rest > 0;
    case Rounding::down:
      return negative && rest > 0;
  }
  return false;
}

/// The bits of the number of that format that `x` is rounded to.
template <class Format>
constexpr unsigned short encode(double x, Rounding rounding = Rounding::nearest) {
  constexpr int fraction_bits = Format::fraction_bits, min_exponent = 1 - Format::bias;
  constexpr unsigned infinity = (2 * Format::bias + 1u) << fraction_bits;
  const auto bits = __builtin_bit_cast(uint64_t, x);
  const bool negative = bits >> 63;
  const unsigned sign = negative ? 0x8000u : 0;
  if (x != x) return 0x7fff;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  if (exponent == 1024) return static_cast<unsigned short>(sign | infinity);
  if (x == 0) return static_cast<unsigned short>(sign);
  const uint64_t significand = (bits & ((1ull << 52) - 1)) | 1ull << 52;
  int cut = 52 - fraction_bits;
  if (exponent < min_exponent) cut += min_exponent - exponent;
  const bool tiny = cut > 54;  // less than half of the smallest number
  uint64_t kept = tiny ? 0 : significand >> cut;
  const uint64_t rest = tiny ? 1 : significand & ((1ull << cut) - 1), half = tiny ? 2 : 1ull << (cut - 1);
  if (rounds_away(rounding, negative, kept & 1, rest, half)) ++kept;
  // `kept` has the leading 1 that the format leaves out: it counts as one in the exponent.
  const uint64_t magnitude =
      exponent < min_exponent ? kept
                              : (static_cast<uint64_t>(exponent + Format::bias - 1) << fraction_bits) + kept;
  if (magnitude < infinity) return static_cast<unsigned short>(sign | magnitude);
  const bool stays_finite = rounding == Rounding::zero || (rounding == Rounding::up && negative) ||
                            (rounding == Rounding::down && !negative);
  return static_cast<unsigned short>(sign | (stays_finite ? infinity - 1 : infinity));
}

template <class Format>
constexpr float decode(unsigned short bits) {
  constexpr int fraction_bits = Format::fraction_bits;
  constexpr unsigned fraction_mask = (1u << fraction_bits) - 1, greatest = 2 * Format::bias + 1;
  const unsigned sign = (bits & 0x8000u) << 16, fraction = bits & fraction_mask;
  const unsigned exponent = (bits & 0x7fffu) >> fraction_bits;
  if (exponent == 0) {
    constexpr float smallest =
        Format::bias == 15 ? 0x1p-24f : 0x1p-126f / static_cast<float>(1 << fraction_bits);
    const float value = static_cast<float>(fraction) * smallest;
    return sign ? -value : value;
  }
  const unsigned wide = exponent == greatest ? 255 : exponent - Format::bias + 127;
  return __builtin_bit_cast(float, sign | wide << 23 | fraction << (23 - fraction_bits));
}

/// An integer as a double that any shorter format rounds as it would the integer: what a double cannot hold
/// is folded into its last bit.
template <class Integer>
constexpr double sticky_double(Integer value) {
  const bool negative = value < 0;
  const auto size = negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const double magnitude =
      size >> 53 ? static_cast<double>(size >> 11 | ((size & 2047) != 0)) * 2048 : static_cast<double>(size);
  return negative ? -magnitude : magnitude;
}

/// a * b + c, as a double that any 16-bit format rounds as it would the exact value.
inline double sticky_fma(double a, double b, double c) {
  const double product = a * b;  // exact: two short significands
  const double sum = product + c;
  if (!__builtin_isfinite(sum)) return sum;
  const double part = sum - product, error = (product - (sum - part)) + (c - part);
  auto bits = __builtin_bit_cast(uint64_t, sum);
  if (error == 0 || (bits & 1)) return sum;
  const bool away = (error > 0) == (sum > 0);  // the exact value lies farther from zero
  return __builtin_bit_cast(double, away ? bits + 1 : bits - 1);
}

/// Its bits, as in __half_raw.
template <class Format>
struct SmallFloatBits {
  unsigned short x;
};

/// A number of 16 bits. Without a constructor of its own: shared arrays of it need none.
template <class Format>
class SmallFloat {
 public:
  SmallFloat() = default;
  constexpr SmallFloat(SmallFloatBits<Format> raw) : bits_(raw.x) {}
  constexpr SmallFloat(float x) : bits_(encode<Format>(x)) {}
  constexpr SmallFloat(double x) : bits_(encode<Format>(x)) {}
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  constexpr SmallFloat(Integer x) : bits_(encode<Format>(sticky_double(x))) {}
  template <class Other>
  explicit constexpr SmallFloat(SmallFloat<Other> x) : SmallFloat(static_cast<float>(x)) {}

  constexpr operator float() const { return decode<Format>(bits_); }
  constexpr operator SmallFloatBits<Format>() const { return {bits_}; }
  constexpr unsigned short bits() const { return bits_; }

  // A float has more than twice the bits: rounding its result once more rounds the exact one.
  friend constexpr SmallFloat operator+(SmallFloat a, SmallFloat b) { return value(a) + value(b); }
  friend constexpr SmallFloat operator-(SmallFloat a, SmallFloat b) { return value(a) - value(b); }
  friend constexpr SmallFloat operator*(SmallFloat a, SmallFloat b) { return value(a) * value(b); }
  friend constexpr SmallFloat operator/(SmallFloat a, SmallFloat b) { return value(a) / value(b); }
  constexpr SmallFloat operator+() const { return *this; }
  constexpr SmallFloat operator-() const { return SmallFloatBits<Format>{sign_flipped()}; }
  constexpr SmallFloat& operator+=(SmallFloat b) { return *this = *this + b; }
  constexpr SmallFloat& operator-=(SmallFloat b) { return *this = *this - b; }
  constexpr SmallFloat& operator*=(SmallFloat b) { return *this = *this * b; }
  constexpr SmallFloat& operator/=(SmallFloat b) { return *this = *this / b; }
  constexpr SmallFloat& operator++() { return *this += SmallFloat(1); }
  constexpr SmallFloat& operator--() { return *this -= SmallFloat(1); }
  constexpr SmallFloat operator++(int) {
    const SmallFloat before = *this;
    ++*this;
    return before;
  }
  constexpr SmallFloat operator--(int) {
    const SmallFloat before = *this;
    --*this;
    return before;
  }
  friend constexpr bool operator==(SmallFloat a, SmallFloat b) { return value(a) == value(b); }
  friend constexpr bool operator!=(SmallFloat a, SmallFloat b) { return value(a) != value(b); }
  friend constexpr bool operator<(SmallFloat a, SmallFloat b) { return value(a) < value(b); }
  friend constexpr bool operator>(SmallFloat a, SmallFloat b) { return value(a) > value(b); }
  friend constexpr bool operator<=(SmallFloat a, SmallFloat b) { return value(a) <= value(b); }
  friend constexpr bool operator>=(SmallFloat a, SmallFloat b) { return value(a) >= value(b); }

 private:
  static constexpr float value(SmallFloat a) { return a; }
  constexpr unsigned short sign_flipped() const { return static_cast<unsigned short>(bits_ ^ 0x8000u); }

  unsigned short bits_;
};

/// The number of that format that `x` is rounded to in a direction.
template <class Number>
struct FormatOf;
template <class Format>
struct FormatOf<SmallFloat<Format>> {
  using type = Format;
};
template <class Number>
constexpr Number small(double x, Rounding rounding = Rounding::nearest) {
  return SmallFloatBits<typename FormatOf<Number>::type>{
      encode<typename FormatOf<Number>::type>(x, rounding)};
}
template <class Number>
constexpr Number small_of_bits(unsigned short bits) {
  return SmallFloatBits<typename FormatOf<Number>::type>{bits};
}

/// Two numbers in 4 bytes: __half2, __nv_bfloat162.
template <class Format>
struct alignas(4) SmallFloatPair {
  using Number = SmallFloat<Format>;
  Number x, y;

  SmallFloatPair() = default;
  constexpr SmallFloatPair(Number low, Number high) : x(low), y(high) {}

  friend constexpr SmallFloatPair operator+(SmallFloatPair a, SmallFloatPair b) {
    return {a.x + b.x, a.y + b.y};
  }
  friend constexpr SmallFloatPair operator-(SmallFloatPair a, SmallFloatPair b) {
    return {a.x - b.x, a.y - b.y};
  }
  friend constexpr SmallFloatPair operator*(SmallFloatPair a, SmallFloatPair b) {
    return {a.x * b.x, a.y * b.y};
  }
  friend constexpr SmallFloatPair operator/(SmallFloatPair a, SmallFloatPair b) {
    return {a.x / b.x, a.y / b.y};
  }
  constexpr SmallFloatPair operator+() const { return *this; }
  constexpr SmallFloatPair operator-() const { return {-x, -y}; }
  constexpr SmallFloatPair& operator+=(SmallFloatPair b) { return *this = *this + b; }
  constexpr SmallFloatPair& operator-=(SmallFloatPair b) { return *this = *this - b; }
  constexpr SmallFloatPair& operator*=(SmallFloatPair b) { return *this = *this * b; }
  constexpr SmallFloatPair& operator/=(SmallFloatPair b) { return *this = *this / b; }
  // True when it is so for both.
  friend constexpr bool operator==(SmallFloatPair a, SmallFloatPair b) { return a.x == b.x && a.y == b.y; }
  friend constexpr bool operator!=(SmallFloatPair a, SmallFloatPair b) { return a.x != b.x && a.y != b.y; }
  friend constexpr bool operator<(SmallFloatPair a, SmallFloatPair b) { return a.x < b.x && a.y < b.y; }
  friend constexpr bool operator>(SmallFloatPair a, SmallFloatPair b) { return a.x > b.x && a.y > b.y; }
  friend constexpr bool operator<=(SmallFloatPair a, SmallFloatPair b) { return a.x <= b.x && a.y <= b.y; }
  friend constexpr bool operator>=(SmallFloatPair a, SmallFloatPair b) { return a.x >= b.x && a.y >= b.y; }
};

}  // namespace ladder::executor

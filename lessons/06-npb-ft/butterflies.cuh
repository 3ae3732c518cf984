#pragma once
/// @file
/// Given, for g7 to g10: butterflies of 2, 4 and 8 numbers that are in registers.
/// Source: none; as in any text on transforms.

#include "problem.hpp"

namespace npb_ft {

/// y[k] = sum of x[j] exp(sign 2 pi i j k / R), in place.
/// @tparam sign 1 or -1. Where it is known no turn by a multiple of 1/8 needs a product of two complex
///   numbers: a quarter exchanges the parts, an eighth adds them, or subtracts, before they are scaled.
template <int R, int sign>
__device__ __forceinline__ void butterfly(Complex (&x)[R]) {
  static_assert(R == 2 || R == 4 || R == 8, "a butterfly takes 2, 4 or 8 numbers");
  static_assert(sign == 1 || sign == -1, "a transform, or its inverse");
  constexpr double s = sign;
  if constexpr (R == 2) {
    const Complex a = x[0], b = x[1];
    x[0] = a + b, x[1] = a - b;
  } else {
    // The even and the odd ones by themselves; those of the odd ones are turned by k / R before they meet.
    Complex even[R / 2], odd[R / 2];
#pragma unroll
    for (int j = 0; j < R / 2; ++j) even[j] = x[2 * j], odd[j] = x[2 * j + 1];
    butterfly<R / 2, sign>(even);
    butterfly<R / 2, sign>(odd);
    constexpr double half = 0.70710678118654752440;  // sqrt(1/2)
    if constexpr (R == 4) {
      odd[1] = {-s * odd[1].im, s * odd[1].re};
    } else {
      odd[1] = half * Complex{odd[1].re - s * odd[1].im, odd[1].im + s * odd[1].re};
      odd[2] = {-s * odd[2].im, s * odd[2].re};
      odd[3] = half * Complex{-odd[3].re - s * odd[3].im, s * odd[3].re - odd[3].im};
    }
#pragma unroll
    for (int k = 0; k < R / 2; ++k) x[k] = even[k] + odd[k], x[k + R / 2] = even[k] - odd[k];
  }
}

}  // namespace npb_ft

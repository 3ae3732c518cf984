#pragma once
/// @file
/// A jump in NPB's stream of numbers. In a file of its own, since students write it in lesson 05; lesson 06
/// gives it to them.

#include "common/npb/generator.hpp"

namespace ladder::npb {

/// a^n mod 2^46: n steps of the stream multiply a state by this. About log2 n multiplications.
constexpr State power(State n) {
  State result = 1;
  for (State a = multiplier; n > 0; n /= 2, a = a * a & mask)
    if (n % 2 == 1) result = result * a & mask;
  return result;
}

}  // namespace ladder::npb

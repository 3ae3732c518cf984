#pragma once
/// @file
/// A jump in NPB's stream of numbers. Apart from the stream, since it is what lesson 05 asks for; lesson 06 has it given.

#include "common/npb/generator.hpp"

namespace ladder::npb {

/// a^n mod 2^46: what so many steps of the stream multiply a state by, in about log2 n multiplications.
constexpr State power(State n) {
  State result = 1;
  for (State a = multiplier; n > 0; n /= 2, a = a * a & mask)
    if (n % 2 == 1) result = result * a & mask;
  return result;
}

}  // namespace ladder::npb

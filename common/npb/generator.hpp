#pragma once
/// @file
/// What the lessons on the NAS Parallel Benchmarks share: the stream of numbers.

namespace ladder::npb {

/// State k + 1 is a x (state k) mod 2^46, and number k is 2^-46 x (state k). State 0 is the seed, which is
/// not itself a number of the stream.
using State = unsigned long long;                       ///< an integer below 2^46
constexpr State multiplier = 1220703125;                ///< a = 5^13
constexpr State mask = (State(1) << 46) - 1;            ///< x & mask is x mod 2^46
constexpr double scale = 1.0 / double(State(1) << 46);  ///< 2^-46

}  // namespace ladder::npb

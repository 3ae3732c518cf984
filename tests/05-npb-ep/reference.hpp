#pragma once
/// @file
/// The judge's own EP, pair by pair, and how far rounding may take a step from it.

#include <array>
#include <cstdint>

#include "problem.hpp"

namespace npb_ep::test {

/// Sums, counts, and what rounding may change of the sums.
struct Result {
  double sx = 0, sy = 0;
  double slack_x = 0, slack_y = 0;  ///< largest |difference| that rounding explains
  std::array<Count, bins> q{};
  Count accepted() const;
};

/// The result for that many pairs, made by all processors; kept for the next call.
///
/// Every X' = X f may be off by some units in the last place, and by what one unit in t does to f = sqrt(-2
/// ln(t) / t): much where t is close to 1, since ln(t) is then close to zero. slack adds both up; a sum in
/// any order loses less than that.
const Result& reference(std::int64_t pairs, State seed);

/// The result of the pairs from first to last alone.
Result part(State seed, std::int64_t first, std::int64_t last);

/// Adds a result to another.
/// @param sign  -1: takes it away; rounding is then lost twice all the same
void add(Result& all, const Result& one, int sign);

/// The state that is `later` pairs behind a seed. Its reference comes from the seed's: less the pairs in
/// front, and as many added at the end.
State shifted(std::int64_t pairs, State seed, std::int64_t later);

/// The official class of that problem; null when it is none.
const OfficialClass* class_of(std::int64_t pairs, State seed);

/// Above so many pairs only the official sums are known.
inline constexpr std::int64_t largest_reference = std::int64_t(1) << 34;

}  // namespace npb_ep::test

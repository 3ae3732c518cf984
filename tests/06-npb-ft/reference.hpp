#pragma once
/// @file
/// The judge's own FT, by another method than the baseline's.

#include <vector>

#include "problem.hpp"

namespace npb_ft::test {

/// What a step has to find.
struct Result {
  std::vector<Complex> checksums;  ///< one an iteration; only the last one for large problems
  std::vector<Complex> u;          ///< the grid at the last time
  double rms = 0;                  ///< of u
};

/// The result, made by all processors; kept for the next call.
const Result& reference(const Problem& p);

/// Grids of more points than this are beyond the judge: of such a class the official checksums are all that
/// is known.
inline constexpr std::size_t largest_reference = std::size_t(1) << 27;

/// The values at time 0.
std::vector<Complex> first_grid(const Problem& p);

/// Transforms the grid of p along all axes, in place.
/// @param sign  1 or -1, of the exponent
void transform(const Problem& p, int sign, std::vector<Complex>& grid);

}  // namespace npb_ft::test

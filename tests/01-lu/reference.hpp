#pragma once
/// @file
/// A factorisation of our own, to say where a wrong one begins.

#include <cstddef>
#include <string>

#include "problem.hpp"

namespace lu::test {

/// Where a result first differs from the reference, and what that looks like.
struct Finding {
  /// Empty if none is found. Else "12 of 49 wrong, first A[1][1] (U, step 1): expected 0.5, got 0.25".
  std::string wrong;
  std::string happened;  ///< what it looks like; may be empty
  std::string think;     ///< may be empty
};

/// Compares with the reference in the order of the algorithm: the pivot of step 0, row 0 of U, column 0 of L,
/// and so on.
/// @param got  its pivots must be in range
Finding first_difference(const Problem& given, const Problem& got);

/// "A[3][4]".
std::string element(std::size_t r, std::size_t c);

}  // namespace lu::test

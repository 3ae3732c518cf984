#pragma once
/// @file
/// The matrices that steps of lesson 03 are tested with.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/random.hpp"
#include "problem.hpp"

namespace dgemm::test {

/// How the entries of A and B are made.
enum class Entries {
  uniform,       ///< independent, uniform in [-1, 1)
  cancelling,    ///< products come in pairs that cancel all but about 10 digits
  ill_scaled,    ///< rows, columns and the index of the sum scaled by powers of two from 2^-100 to 2^100
  scaled_lines,  ///< 53 bits each; rows of A and columns of B scaled by 2^-100 to 2^100
  denormal,      ///< uniform, rows of A times 2^-1060
  not_finite,    ///< uniform, with a NaN, infinities of both signs, and an infinity that meets a zero
};

/// One problem to be tested.
struct Case {
  const char* group;                    ///< class of cases: partial credit goes by it
  int m, n, k;                          ///< C is m x n, the sum has k terms
  Entries entries = Entries::uniform;   ///< how A and B are filled
  int pad_a = 0, pad_b = 0, pad_c = 0;  ///< what the leading dimensions have more than columns
  std::size_t device_bytes = 0;         ///< what a step in parts may have on the device; 0: not stated
  int ranks = 0;                        ///< processes of an MPI step; 0: as the row says
  bool extra = false;                   ///< only some steps get it
  std::uint32_t offset = 0;             ///< elements of each array's memory in front of it
};

/// @return the cases in the order in which they run: small and regular first, so that the first failure is
/// simple.
const std::vector<Case>& cases();

/// @return the scalars of a case; no pointers.
Problem shape(const Case& c);

/// Fills A and B of @p p, which has the shape of the case. The same for the same numbers on every machine.
/// Padding gets NaN: a step that reads it shows.
void fill(const Case& c, ladder::Random random, const Problem& p);

/// @return a square case of uniform entries, as targets and times use.
inline Case square(int n) {
  return {"general", n, n, n};
}

/// @return the same in little device memory: less than a quarter of the three matrices, 5.4 n^2 bytes.
inline Case square_in_parts(int n) {
  Case c = square(n);
  c.device_bytes = std::size_t(5.4 * n * n);
  return c;
}

/// @return a case with a single tile of C for the blocks to share, and a sum of 8 n terms.
inline Case one_tile(int n) {
  return {"general", n, n, 8 * n};
}

/// @return "n = 64" or "m = 31, n = 33, k = 37", and what else is special about the case.
std::string name(const Case& c);

}  // namespace dgemm::test

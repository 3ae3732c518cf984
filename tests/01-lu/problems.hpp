#pragma once
/// @file
/// The matrices that a step of lesson 01 is tried on.

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/random.hpp"
#include "common/lesson/rung.hpp"
#include "problem.hpp"

namespace lu::test {

/// What the entries of a matrix are.
enum class Entries {
  uniform,          ///< random in [0, 1), as in the source
  ill_scaled,       ///< rows of random numbers in [-1, 1) times 10^-8 … 10^8
  nearly_singular,  ///< the last row is a sum of others but for a part of 10^-13
  zero_columns,     ///< uniform, with columns 0, n/3 and n - 1 zero
  equal,            ///< all the same power of two: after one step nothing is left, exactly
  zero,
  identity,
  permutation,  ///< a random permutation matrix: every pivot is somewhere else
  hadamard,     ///< entries 1 and -1, every step has many pivots of the same size; n a power of two
  growth,       ///< Wilkinson's matrix: the last column doubles in each step
  shifted,      ///< a permutation matrix whose pivots are 64 rows below the diagonal, but for the last 64
  signs,        ///< 1 or -1 at random: the first steps have many pivots of the same size, anywhere
};

/// One problem of the tests.
struct Case {
  const char* group;  ///< class of cases
  int n;
  Entries entries = Entries::uniform;
  std::uint32_t offset = 0;  ///< elements of A's memory in front of it
  int ranks = 0;             ///< processes of a rung with several; 0: as the row says
  bool grid = false;         ///< these are a grid
};

/// The cases of a step, small ones first in each class. Threads get a matrix so large that they meet, a
/// search on the device columns longer than a work-group.
std::vector<Case> cases(const ladder::Step& step);

/// @return what messages call it: "n = 33", "n = 16 (Hadamard)".
std::string name(const Case& c);

/// Fills A, n x n.
void fill(const Case& c, ladder::Random& random, double* A);

}  // namespace lu::test

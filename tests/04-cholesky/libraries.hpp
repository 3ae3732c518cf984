#pragma once
/// @file
/// Libraries of sparse factorisation, in the judge itself: their phases are timed apart.

#include <cstdint>
#include <string>
#include <vector>

#include "given/ordering.hpp"

namespace cholesky::test {

/// What a library took for a matrix, and what it made.
struct LibraryRun {
  std::string name;
  double analysis = 0, factorisation = 0, solve = 0;  ///< seconds
  std::int64_t nnz = 0;                               ///< of L
  double flops = 0;                                   ///< sum of the squares of L's column counts
  double error = 0;                                   ///< ||Ax - b|| / (||A|| ||x|| + ||b||)
  std::string reason{};                               ///< why there is nothing; empty: there is
};

/// CHOLMOD, supernodal, with that ordering and with its own, on all cores; Eigen's SimplicialLLT, on one.
/// @param most_seconds  what is expected to take longer is left out, and says so
std::vector<LibraryRun> run_libraries(const Symmetric& A, const std::vector<int>& order, double most_seconds);

/// CHOLMOD alone, with that ordering.
LibraryRun run_cholmod(const Symmetric& A, const std::vector<int>& order, double most_seconds);

}  // namespace cholesky::test

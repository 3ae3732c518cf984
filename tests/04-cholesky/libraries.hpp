#pragma once
/// @file
/// Libraries of sparse factorisation, in the judge itself: their phases are timed apart.

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/clock.hpp"
#include "common/judge/reproduction.hpp"
#include "given/ordering.hpp"

namespace cholesky::test {

/// What a library took for a matrix, and what it made.
struct LibraryRun {
  std::string name;
  double analysis = 0, factorisation = 0, solve = 0;  ///< seconds
  std::int64_t nnz = 0;                               ///< of L
  double flops = 0;      ///< sum of the squares of L's column counts; 0: not known
  double error = 0;      ///< ||Ax - b|| / (||A|| ||x|| + ||b||)
  std::string reason{};  ///< why there is nothing; empty: there is
};

/// Seconds of a call: the median of three, of a long one the first.
template <class Call>
double seconds_of(Call&& call) {
  std::vector<double> seconds;
  do {
    const ladder::Stopwatch one;
    call();
    seconds.push_back(one.seconds());
  } while (seconds.size() < 3 && seconds.front() < 2);
  return ladder::median(seconds);
}

/// A right-hand side without structure.
std::vector<double> right_hand_side(int n);

/// ||Ax - b|| / (||A|| ||x|| + ||b||)
double error_of(const Symmetric& A, const double* x, const std::vector<double>& b);

/// CHOLMOD, supernodal, with that ordering and with its own, on all cores; Eigen's SimplicialLLT, on one;
/// cuDSS.
/// @param most_seconds  what is expected to take longer is left out, and says so
std::vector<LibraryRun> run_libraries(const Symmetric& A, const std::vector<int>& order, double most_seconds);

/// CHOLMOD alone, with that ordering.
LibraryRun run_cholmod(const Symmetric& A, const std::vector<int>& order, double most_seconds);

/// cuDSS, with its own ordering, on the first GPU; copies to and from it are not timed. Never throws: what is
/// not there or fails is the reason.
LibraryRun run_cudss(const Symmetric& A, double most_seconds);

}  // namespace cholesky::test

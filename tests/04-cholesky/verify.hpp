#pragma once
/// @file
/// Is A x = b, and is L the factor?

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/judge/displaced.hpp"
#include "problems.hpp"

namespace cholesky::test {

/// What a comparison found.
struct Comparison {
  std::string wrong;  ///< empty: right
  double error = 0;   ///< ||A x - b|| / (||A|| ||x|| + ||b||), scaled to a diagonal of ones
  std::vector<std::pair<std::string, std::string>> details{};  ///< heading and text
};

/// The bound of that error.
constexpr double largest_error = 1e-14;

/// Compares a result with its problem, in this order: info, each tile of L, x.
Comparison compare(const Case& c, const Problem& given, const Problem& got);

/// x next to what it must be, where L is right: without a right L nothing is said of x. Nothing of a user's
/// matrix, since its condition says how far x may be from another solution.
std::optional<ladder::Compared> compared(const Case& c, const Problem& given, const Problem& got);

/// The error of x only, of a matrix that is positive definite. @param A with its values, in its original
/// order
Comparison compare_solution(const Structure& structure, const Symmetric& A, const Problem& given,
                            const Problem& got);

/// info and the error of x only.
Comparison compare_quickly(const Case& c, const Problem& given, const Problem& got);

}  // namespace cholesky::test

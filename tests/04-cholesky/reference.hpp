#pragma once
/// @file
/// The factor as the judge computes it, and how far another one is from A.

#include <string>

#include "problem.hpp"

namespace cholesky::test {

/// A = L L^T in place, as the baseline does it. @return what info becomes; then the rest is not factorised
int factorise(const Problem& p);

/// The bound of |A - L L^T|(i, j) / sqrt(A(i, i) A(j, j)): about n times what rounding to FP64 adds, for n up
/// to some thousands.
constexpr double largest_residual = 1e-12;

/// Whether L is a factor of A, whatever the condition of A: L L^T is compared with A, not L with another
/// factor.
/// @return what is wrong; empty: nothing
std::string check_residual(const Problem& given, const Problem& got);

}  // namespace cholesky::test

#pragma once
/// @file
/// Is A x = b, as well as LAPACK solves it? And is info right?

#include <string>

#include "problems.hpp"

namespace gauss::test {

/// What a comparison found.
struct Comparison {
  std::string wrong;     ///< empty: right. Else what is wrong, with index, expected and got.
  double error = 0;      ///< ||b - A x|| / (||A|| ||x|| + ||b||), in eps
  double bound = 0;      ///< what `error` may be; 0 where x is not looked at
  bool x_wrong = false;  ///< x is what is wrong: its explanation is in what the elimination left
};

/// Compares a result with its problem. In this order: padding untouched, info (of steps that pivot), x
/// written and finite, the backward error of x.
/// @param given     A and b as they were before the call
/// @param entries   of A: when it is singular x is not looked at; when a row is there twice, info = n or a
/// good x is right,
///                  as the step rounds
Comparison compare(const Problem& given, const Problem& got, bool pivoting, Entries entries);

/// A check of order n^2 for timed calls: the backward error against 16 n eps.
/// @return "" or what is wrong.
std::string compare_quickly(const Problem& given, const Problem& got);

}  // namespace gauss::test

#pragma once
/// @file
/// The reference of lesson 09: the V-cycle by weights of a general 27-point stencil, NPB's right-hand side
/// and its norm.

#include <cstddef>
#include <vector>

#include "problem.hpp"

namespace npb_mg::test {

constexpr std::size_t points_per_thread = 1 << 18;  ///< of this reference and of comparing with it

/// What a call has found.
struct Result {
  std::vector<double> u, r;  ///< grid.elements() each
};
/// One V-cycle, and the residual after it.
Result cycle(const Problem& given);
/// The same with the absolute values of all numbers and of all coefficients: what rounding is measured by.
Result magnitudes(const Problem& given);

/// r = v - A u, borders too.
std::vector<double> residual(const Problem& p, const double* u);  // grid.elements()
/// Copies points into the border.
void fill_border(Grid grid, double* a);  // grid.elements()

/// zran3: 1 at the ten points with NPB's largest random numbers, -1 at those with the smallest, else 0.
void set_official_v(Grid grid, double* v);  // grid.elements()
/// rnm2: the root of the mean square over all points.
double norm_of(Grid grid, const double* r);  // grid.elements()

}  // namespace npb_mg::test

/// @file
/// Baseline: one core, row after row. Given complete; read it first.
/// Source: none; the method is that of Hestenes and Stiefel, 1952.

#include <algorithm>
#include <cmath>

#include "problem.hpp"

namespace npb_cg {
namespace {

/// y = A v.
void multiply(const Problem& p, const double* v,  // n
              double* y) {                        // n
  for (int i = 0; i < p.n; ++i) {
    double sum = 0;
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k) sum += p.values[k] * v[p.columns[k]];
    y[i] = sum;
  }
}

double dot(int n, const double* a, const double* b) {  // n each
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

/// 25 iterations, and the norm of what is left.
void baseline(const Problem& p) {
  std::fill(p.z, p.z + p.n, 0.0);
  std::copy(p.x, p.x + p.n, p.r);
  std::copy(p.x, p.x + p.n, p.d);
  double rho = dot(p.n, p.r, p.r);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    multiply(p, p.d, p.q);
    const double dq = dot(p.n, p.d, p.q), alpha = dq == 0 ? 0 : rho / dq;
    for (int i = 0; i < p.n; ++i) p.z[i] += alpha * p.d[i], p.r[i] -= alpha * p.q[i];
    const double before = rho;
    rho = dot(p.n, p.r, p.r);
    const double beta = before == 0 ? 0 : rho / before;
    for (int i = 0; i < p.n; ++i) p.d[i] = p.r[i] + beta * p.d[i];
  }
  multiply(p, p.z, p.q);
  double sum = 0;
  for (int i = 0; i < p.n; ++i) sum += (p.x[i] - p.q[i]) * (p.x[i] - p.q[i]);
  *p.norm = std::sqrt(sum);
}

}  // namespace npb_cg

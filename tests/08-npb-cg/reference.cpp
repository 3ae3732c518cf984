#include "reference.hpp"

#include <cmath>

#include "common/base/parallel.hpp"

namespace npb_cg::test {
namespace {

constexpr int small = 20'000;  // rows up to which each iterate is stored
constexpr std::size_t rows_per_thread = 2048;

/// y = A v in the type that sums are made in.
template <class Real>
void multiply(const Problem& p, const Real* v, Real* y) {  // n each
  ladder::in_parts(p.n, rows_per_thread, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Real sum = 0;
      for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k) sum += Real(p.values[k]) * v[p.columns[k]];
      y[i] = sum;
    }
  });
}

template <class Real>
Real dot(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The method. `visit(z)` sees z after 0, 1, … iterations.
template <class Real, class Visitor>
std::vector<Real> conjugate_gradients(const Problem& p, std::vector<Real> r, Visitor&& visit) {
  std::vector<Real> z(p.n), d = r, q(p.n);
  Real rho = dot(r, r);
  visit(z);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    multiply(p, d.data(), q.data());
    const Real dq = dot(d, q), alpha = dq == 0 ? 0 : rho / dq, before = rho;
    for (int i = 0; i < p.n; ++i) z[i] += alpha * d[i], r[i] -= alpha * q[i];
    rho = dot(r, r);
    const Real beta = before == 0 ? 0 : rho / before;
    for (int i = 0; i < p.n; ++i) d[i] = r[i] + beta * d[i];
    visit(z);
  }
  return z;
}

/// || |A| |v| + |x| ||
long double magnitude(const Problem& p, const std::vector<long double>& v) {
  std::vector<long double> sums(p.n);
  ladder::in_parts(p.n, rows_per_thread, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      sums[i] = std::abs(p.x[i]);
      for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
        sums[i] += std::abs(p.values[k] * v[p.columns[k]]);
    }
  });
  return length(sums);
}

}  // namespace

Reference solve(const Problem& given) {
  Reference reference;
  reference.z = conjugate_gradients(given, std::vector<long double>(given.x, given.x + given.n),
                                    [&](const std::vector<long double>& z) {
                                      if (given.n <= small)
                                        reference.iterate.emplace_back(z.begin(), z.end());
                                    });
  reference.magnitude = magnitude(given, reference.z);
  return reference;
}

std::vector<long double> times(const Problem& p, const std::vector<long double>& v) {
  std::vector<long double> y(p.n);
  multiply(p, v.data(), y.data());
  return y;
}

long double length(const std::vector<long double>& v) {
  return std::sqrt(dot(v, v));
}

double zeta_of(const Problem& p, double shift, const double* z) {
  double sum = 0;
  for (int i = 0; i < p.n; ++i) sum += p.x[i] * z[i];
  return shift + 1 / sum;
}

std::vector<double> normalised(int n, const double* z) {
  std::vector<double> x(z, z + n);
  const double factor = 1 / std::sqrt(dot(x, x));
  for (double& element : x) element *= factor;
  return x;
}

std::vector<double> official_x(const Problem& matrix, int iteration) {
  std::vector<double> x(matrix.n, 1.0);
  for (int i = 1; i < iteration; ++i)
    x = normalised(matrix.n, conjugate_gradients(matrix, x, [](const std::vector<double>&) {}).data());
  return x;
}

}  // namespace npb_cg::test

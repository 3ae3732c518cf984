#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace gauss::test {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();

// 80 bits where the processor has them, so that the residual of a right x is not its own rounding error.
using Wide = std::conditional_t<std::numeric_limits<long double>::digits == 64, long double, double>;

constexpr int largest_fused = 64;  // std::fma is slow where the compiler may not use the instruction

double minus(double a, double factor, double b, bool fused) {
  return fused ? std::fma(-factor, b, a) : a - factor * b;
}

int pivot_row(const Elimination& e, std::size_t n, std::size_t i) {
  std::size_t best = i;
  for (std::size_t r = i + 1; r < n; ++r)
    if (std::abs(e.A[r * n + i]) > std::abs(e.A[best * n + i])) best = r;
  return int(best);
}

void back_substitute(Elimination& e, std::size_t n, bool fused) {
  for (std::size_t i = n; i-- > 0;) {
    double sum = e.b[i];
    for (std::size_t k = i + 1; k < n; ++k) sum = minus(sum, e.A[i * n + k], e.x[k], fused);
    e.x[i] = sum / e.A[i * n + i];
  }
}

}  // namespace

Elimination eliminate(const Problem& given, bool pivoting, bool fused) {
  const std::size_t n = given.n;
  Elimination e{std::vector<double>(n * n), {given.b, given.b + n}, std::vector<double>(n), 0};
  for (std::size_t i = 0; i < n; ++i) std::copy_n(given.A + i * given.lda, n, e.A.begin() + i * n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t p = pivoting ? pivot_row(e, n, i) : i;
    if (p != i) {
      std::swap_ranges(&e.A[i * n], &e.A[i * n] + n, &e.A[p * n]);
      std::swap(e.b[i], e.b[p]);
    }
    const double pivot = e.A[i * n + i];
    if (pivot == 0) {
      if (e.info == 0) e.info = int(i) + 1;
      continue;
    }
    for (std::size_t r = i + 1; r < n; ++r) {
      const double ratio = e.A[r * n + i] / pivot;
      for (std::size_t c = i + 1; c < n; ++c)
        e.A[r * n + c] = minus(e.A[r * n + c], ratio, e.A[i * n + c], fused);
      e.b[r] = minus(e.b[r], ratio, e.b[i], fused);
    }
  }
  back_substitute(e, n, fused);
  return e;
}

double backward_error(const Problem& given, const double* x) {
  double residual = 0, norm_A = 0, norm_x = 0, norm_b = 0;
  for (int i = 0; i < given.n; ++i) {
    const double* row = given.A + std::size_t(i) * given.lda;
    Wide rest = given.b[i];
    double sum = 0;
    for (int j = 0; j < given.n; ++j) {
      rest -= Wide(row[j]) * x[j];
      sum += std::abs(row[j]);
    }
    const double off = std::abs(double(rest));
    if (!(off <= residual)) residual = off;  // NaN stays
    norm_A = std::max(norm_A, sum);
    norm_x = std::max(norm_x, std::abs(x[i]));
    norm_b = std::max(norm_b, std::abs(given.b[i]));
  }
  return residual == 0 ? 0 : residual / (norm_A * norm_x + norm_b);
}

double quick_bound(const Problem& given) {
  return 16.0 * std::max(given.n, 1);
}

double error_bound(const Problem& given, const Elimination& lapack) {
  if (given.n > largest_reference) return quick_bound(given) * unit;
  double error = backward_error(given, lapack.x.data());
  if (given.n <= largest_fused)
    error = std::max(error, backward_error(given, eliminate(given, true, true).x.data()));
  return 10 * std::max(error, unit);
}

}  // namespace gauss::test

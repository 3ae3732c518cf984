#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace dgemm::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
// Smallest step of a double: products of ill-scaled numbers may underflow, which no relative bound covers.
constexpr double tiny = std::numeric_limits<double>::denorm_min();

// 80 bits where the processor has them; the 128 bits of other machines are slow, and the bound holds for
// double too.
using Wide = std::conditional_t<std::numeric_limits<long double>::digits == 64, long double, double>;

/// Rows of AB and |A||B| with sums in type T.
template <class T>
void multiply(const Problem& p, Reference& r) {
  std::vector<T> sum(p.n), magnitude(p.n);
  for (int i = 0; i < p.m; ++i) {
    std::fill(sum.begin(), sum.end(), T(0));
    std::fill(magnitude.begin(), magnitude.end(), T(0));
    for (int q = 0; q < p.k; ++q) {
      const T a = p.A[std::size_t(i) * p.lda + q];
      const double* b = p.B + std::size_t(q) * p.ldb;
      for (int j = 0; j < p.n; ++j) {
        const T product = a * b[j];
        sum[j] += product;
        magnitude[j] += std::abs(product);
      }
    }
    std::copy(sum.begin(), sum.end(), r.C.begin() + std::size_t(i) * p.n);
    std::copy(magnitude.begin(), magnitude.end(), r.magnitude.begin() + std::size_t(i) * p.n);
  }
}

/// Is `got` as good as `expected`? NaN for NaN, infinity for the same infinity, else within the bound.
bool right(double expected, double got, double magnitude, double bound, int k) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= bound * eps * magnitude + k * tiny;
}

bool is_poison(double value, unsigned char poison) {
  unsigned char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return std::all_of(bytes, bytes + sizeof value, [poison](unsigned char b) { return b == poison; });
}

bool is_transposed(const Problem& p, const Reference& r, const double* C, double bound) {
  if (p.m != p.n || p.n < 2) return false;
  for (int i = 0; i < p.m; ++i)
    for (int j = 0; j < p.n; ++j) {
      const std::size_t at = std::size_t(j) * p.n + i;
      if (!right(r.C[at], C[std::size_t(i) * p.ldc + j], r.magnitude[at], bound, p.k)) return false;
    }
  return true;
}

}  // namespace

double tolerance(double magnitude, int k) {
  return error_bound(k) * eps * magnitude + k * tiny;
}

Reference reference(const Problem& p) {
  const std::size_t elements = std::size_t(p.m) * p.n;
  Reference r{std::vector<double>(elements), std::vector<double>(elements)};
  if (double(elements) * p.k <= 0x1p23)
    multiply<Wide>(p, r);
  else
    multiply<double>(p, r);
  return r;
}

Comparison compare(const Problem& p, const Reference& r, const double* C, unsigned char poison) {
  Comparison result;
  result.of = r.C.size();
  result.bound = error_bound(p.k);
  for (int i = 0; i < p.m; ++i) {
    const double* row = C + std::size_t(i) * p.ldc;
    for (int j = 0; j < p.n; ++j) {
      const std::size_t at = std::size_t(i) * p.n + j;
      const double expected = r.C[at], got = row[j], difference = std::abs(got - expected);
      if (std::isfinite(expected) && std::isfinite(got)) {
        if (difference > p.k * tiny)
          result.error = std::max(result.error, difference / (eps * r.magnitude[at]));
        result.source_measure = std::max(result.source_measure, difference / (std::abs(expected) + 1e-12));
      } else if (std::isfinite(expected)) {
        result.error = result.source_measure = std::numeric_limits<double>::infinity();
      }
      if (right(expected, got, r.magnitude[at], result.bound, p.k)) continue;
      if (result.wrong++ > 0) continue;
      result.i = i, result.j = j;
      result.expected = expected, result.got = got;
    }
    for (int j = p.n; j < p.ldc; ++j) result.padding_written += !is_poison(row[j], poison);
  }
  result.transposed = result.wrong > 0 && is_transposed(p, r, C, result.bound);
  return result;
}

Medians median_errors(const Problem& p, const Reference& r, const double* C) {
  std::vector<double> of_step, of_doubles;
  for (int i = 0; i < p.m; ++i)
    for (int j = 0; j < p.n; ++j) {
      const std::size_t at = std::size_t(i) * p.n + j;
      double sum = 0;
      for (int q = 0; q < p.k; ++q)
        sum = std::fma(p.A[std::size_t(i) * p.lda + q], p.B[std::size_t(q) * p.ldb + j], sum);
      const double unit = eps / 2 * r.magnitude[at];
      of_step.push_back(std::abs(C[std::size_t(i) * p.ldc + j] - r.C[at]) / unit);
      of_doubles.push_back(std::abs(sum - r.C[at]) / unit);
    }
  const auto median = [](std::vector<double>& errors) {
    const auto middle = errors.begin() + errors.size() / 2;
    std::nth_element(errors.begin(), middle, errors.end());
    return *middle;
  };
  return {median(of_step), median(of_doubles)};
}

// Each sum has its rounding error: C's own (k + 4), and of C x (n), of B x (n) and of A (B x) (k). x is 1 or
// -1 everywhere, so that no wrong element is multiplied by zero.
std::string compare_quickly(const Problem& p, const double* C, ladder::Random& random) {
  std::vector<double> x(p.n), Bx(p.k), magnitude_Bx(p.k);
  for (double& value : x) value = random.uniform() < 0.5 ? -1 : 1;
  for (int q = 0; q < p.k; ++q)
    for (int j = 0; j < p.n; ++j) {
      const double b = p.B[std::size_t(q) * p.ldb + j];
      Bx[q] += b * x[j];
      magnitude_Bx[q] += std::abs(b);
    }
  const double bound = (2.0 * p.k + 2.0 * p.n + 8) * eps;
  for (int i = 0; i < p.m; ++i) {
    double Cx = 0, ABx = 0, magnitude = 0;
    for (int j = 0; j < p.n; ++j) Cx += C[std::size_t(i) * p.ldc + j] * x[j];
    for (int q = 0; q < p.k; ++q) {
      const double a = p.A[std::size_t(i) * p.lda + q];
      ABx += a * Bx[q];
      magnitude += std::abs(a) * magnitude_Bx[q];
    }
    if (!(std::abs(Cx - ABx) <= bound * magnitude))
      return "row " + std::to_string(i) + " of C is wrong: its product with a random vector is " +
             std::to_string(Cx) + ", expected " + std::to_string(ABx);
  }
  return "";
}

}  // namespace dgemm::test

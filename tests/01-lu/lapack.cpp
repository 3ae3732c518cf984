#include "lapack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/base/text/numbers.hpp"
#include "solve.hpp"
#include "verify.hpp"

extern "C" void dgetrf_(const int* m, const int* n, double* A, const int* lda, int* pivot, int* info);

namespace lu::test {
namespace {

/// A factorisation that owns its arrays.
struct Factors {
  std::vector<double> A;
  std::vector<int> pivot;
  int info = 0;
  Problem problem() { return {int(pivot.size()), A.data(), pivot.data(), &info}; }
};

std::vector<double> transposed(const double* A, std::size_t n) {
  std::vector<double> result(n * n);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c) result[c * n + r] = A[r * n + c];
  return result;
}

/// LAPACK is column-major and counts rows from 1.
Factors lapack(const Problem& given) {
  const std::size_t n = given.n;
  Factors f{transposed(given.A, n), std::vector<int>(n), 0};
  dgetrf_(&given.n, &given.n, f.A.data(), &given.n, f.pivot.data(), &f.info);
  f.A = transposed(f.A.data(), n);
  for (int& row : f.pivot) --row;
  return f;
}

double largest_entry(const double* A, std::size_t count) {
  double largest = 0;
  for (std::size_t e = 0; e < count; ++e) largest = std::max(largest, std::abs(A[e]));
  return largest;
}

double growth(const Problem& given, const Problem& got) {
  const std::size_t n = given.n;
  double largest = 0;
  for (std::size_t r = 0; r < n; ++r) largest = std::max(largest, largest_entry(got.A + r * n + r, n - r));
  const double before = largest_entry(given.A, n * n);
  return before > 0 ? largest / before : 0;
}

/// Ax = b for a b of signs. The errors of the factors and of the two sweeps allow |b - Ax| <= 3 n u |L||U||x|
/// in the order of PA (Higham, theorem 9.4); Ax is computed here with an error of the same size.
std::string check_solution(const Problem& given, const Problem& got) {
  const std::size_t n = given.n;
  std::vector<double> b(n), x(n), magnitude(n), sizes(n);
  for (std::size_t r = 0; r < n; ++r) x[r] = b[r] = r % 3 == 1 ? -1 : 1;
  solve(got, x.data());
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = r; c < n; ++c) sizes[r] += std::abs(got.A[r * n + c] * x[c]);
  for (std::size_t r = 0; r < n; ++r) {
    magnitude[r] = sizes[r];
    for (std::size_t c = 0; c < r; ++c) magnitude[r] += std::abs(got.A[r * n + c]) * sizes[c];
  }
  for (std::size_t i = n; i-- > 0;) std::swap(magnitude[i], magnitude[std::size_t(got.pivot[i])]);
  for (std::size_t r = 0; r < n; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < n; ++c) sum += given.A[r * n + c] * x[c];
    if (!(std::abs(b[r] - sum) <= backward_bound * double(n) * eps * magnitude[r]))
      return fmt::format("Ax = b solved with these factors: (Ax)[{}]: expected {}, got {}", r, b[r],
                         ladder::number(sum, 17));
  }
  return "";
}

/// @return whether all entries are random, so that no two candidates for a pivot are nearly equal.
bool clear_pivots(const Case& c) {
  return c.entries == Entries::uniform || c.entries == Entries::ill_scaled;
}

}  // namespace

BesideLapack beside_lapack(const Case& c, const Problem& given, const Problem& got, double backward) {
  BesideLapack result;
  if (given.n == 0) return result;
  Factors theirs = lapack(given);
  result.growth = growth(given, got);
  if (*got.info != theirs.info) {
    result.wrong = fmt::format("info: LAPACK says {}, got {}", theirs.info, *got.info);
    return result;
  }
  for (int i = 0; clear_pivots(c) && i < given.n; ++i)
    if (got.pivot[i] != theirs.pivot[i]) {
      result.wrong = fmt::format("pivot[{}]: LAPACK chose {}, got {}", i, theirs.pivot[i], got.pivot[i]);
      return result;
    }
  const double one_rounding = 0.5 / given.n;
  const double bound = lapack_factor * std::max(backward_error(given, theirs.problem()), one_rounding);
  if (backward > bound) {
    result.wrong = fmt::format("max |PA - LU| / (n eps |L||U|): at most {} (ten times LAPACK's), got {}",
                               ladder::number(bound, 3), ladder::number(backward, 3));
    result.happened = "It is a factorisation, but one of a matrix that is further from A than it need be.";
    return result;
  }
  if (*got.info == 0) result.wrong = check_solution(given, got);
  return result;
}

}  // namespace lu::test

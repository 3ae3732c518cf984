/// @file
/// Lesson 01: which of equally large entries is the pivot is demanded where every program sees equal numbers,
/// and only there.
// Guards: lessons/01-lu/README.md#the-problem

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "common/base/random.hpp"
#include "tests/01-lu/verify.hpp"
#include "tests/common/catch.hpp"

using lu::Problem;
using lu::test::compare;

namespace {

/// A problem and its memory.
struct Matrix {
  explicit Matrix(int order) : n(order), A(std::size_t(n) * n), pivot(n, -1) {}
  Problem problem() { return {.n = n, .A = A.data(), .pivot = pivot.data(), .info = &info}; }
  int n, info = -1;
  std::vector<double> A;
  std::vector<int> pivot;
};

Matrix signs(int n, ladder::Random& random) {
  Matrix m(n);
  for (double& x : m.A) x = random.bits() & 1 ? 1 : -1;
  return m;
}

/// LU with partial pivoting whose factors are products by the pivot's inverse: right, and not rounded as a
/// quotient is.
/// @param last  take the last of equally large entries: wrong
Matrix factorised(Matrix m, bool last) {
  const int n = m.n;
  m.info = 0;
  const auto row = [&](int r) { return &m.A[std::size_t(r) * n]; };
  for (int i = 0; i < n; ++i) {
    int s = i;
    for (int r = i + 1; r < n; ++r) {
      const double mine = std::abs(row(r)[i]), best = std::abs(row(s)[i]);
      if (last ? mine >= best : mine > best) s = r;
    }
    m.pivot[i] = s;
    if (s != i) std::swap_ranges(row(i), row(i) + n, row(s));
    const double divisor = row(i)[i], inverse = 1 / divisor;
    if (divisor == 0 && m.info == 0) m.info = i + 1;
    for (int r = i + 1; r < n; ++r) {
      const double factor = divisor == 0 ? 0 : row(r)[i] * inverse;
      row(r)[i] = factor;
      for (int c = i + 1; c < n; ++c) row(r)[c] -= factor * row(i)[c];
    }
  }
  return m;
}

}  // namespace

TEST_CASE("factors by an inverse are right, though some are rounded to 1") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  ladder::Random random(seed);
  for (int i = 0; i < 300; ++i) {
    Matrix given = signs(97, random), got = factorised(given, false);
    INFO("matrix " << i);
    CHECK(compare(given.problem(), got.problem()).wrong == "");
  }
}

TEST_CASE("the last of equal entries is no pivot") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  ladder::Random random(seed);
  for (const int n : {2, 3, 7, 31, 97}) {
    Matrix given = signs(n, random),
           got = factorised(given, true);  // all entries of the first column are equal
    INFO("n = " << n);
    CHECK_FALSE(compare(given.problem(), got.problem()).wrong.empty());
  }
}

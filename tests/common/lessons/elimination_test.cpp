/// @file
/// Lesson 02: the reference against systems worked by hand, and its backward error.
// Guards: docs/glossary.md#numbers

#include <limits>
#include <vector>

#include "tests/02-gauss/reference.hpp"
#include "tests/common/catch.hpp"

using gauss::Problem;
using gauss::test::backward_error;
using gauss::test::eliminate;
using gauss::test::Elimination;
using gauss::test::error_bound;

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A system of order n with rows lda apart.
struct System {
  std::vector<double> A, b;
  int lda = 0;
  Problem problem() {
    return {.n = int(b.size()), .lda = lda > 0 ? lda : int(b.size()), .A = A.data(), .b = b.data()};
  }
};

}  // namespace

TEST_CASE("elimination leaves U, the changed right side and x") {
  System s{{2, 1, 4, 5}, {4, 14}};  // x = (1, 2): the second row becomes 3 x1 = 6
  const Elimination e = eliminate(s.problem(), false);
  CHECK(e.A[3] == 3);
  CHECK(e.b[1] == 6);
  CHECK(e.x == std::vector<double>{1, 2});
}

TEST_CASE("pivoting takes the largest entry and leaves the unknowns where they are") {
  System s{{2, 1, 4, 5}, {4, 14}};
  const Elimination e = eliminate(s.problem(), true);
  CHECK(e.A[0] == 4);
  CHECK(e.A[3] == -1.5);
  CHECK(e.x == std::vector<double>{1, 2});
}

TEST_CASE("a small pivot loses a solution without pivoting") {
  System s{{1e-20, 1, 1, 1}, {1, 2}};
  CHECK(eliminate(s.problem(), false).x == std::vector<double>{0, 1});
  CHECK(eliminate(s.problem(), true).x == std::vector<double>{1, 1});
}

TEST_CASE("info names the first pivot that is zero") {
  System s{{1, 2, 2, 4}, {1, 1}};
  CHECK(eliminate(s.problem(), true).info == 2);
  System zero{{0, 0, 0, 0}, {1, 1}};
  CHECK(eliminate(zero.problem(), true).info == 1);
}

TEST_CASE("backward error is the residual over norms, and rungs over padding") {
  System s{{2, 0, 99, 0, 2, 99}, {2, 4}, 3};
  CHECK(backward_error(s.problem(), std::vector<double>{1, 2}.data()) == 0);
  CHECK(backward_error(s.problem(), std::vector<double>{1, 3}.data()) == 2 / (2.0 * 3 + 4));
  CHECK(error_bound(s.problem(), eliminate(s.problem(), true)) == 10 * eps);
}

TEST_CASE("an x that is not a number has no backward error that passes") {
  System s{{2, 0, 0, 2}, {2, 4}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(backward_error(s.problem(), std::vector<double>{nan, 2}.data()) <= 1);
}

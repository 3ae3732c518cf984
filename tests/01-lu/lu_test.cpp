#include "lu.hpp"

#include <algorithm>
#include <cmath>

#include "common/judge/judge.hpp"
#include "lapack.hpp"
#include "problems.hpp"
#include "reference.hpp"
#include "verify.hpp"

namespace {

using namespace lu;
using ladder::Check;
using ladder::Random;
using ladder::Step;

Check verify(const test::Case& c, const Problem& given, const Problem& got) {
  const test::Comparison found = test::compare(given, got);
  Check check;
  check.wrong = found.wrong;
  check.measure = "||PA - LU|| / (n ||A|| eps)";
  check.error = found.residual;
  check.bound = test::residual_bound;
  if (check.right()) {
    const test::BesideLapack beside = test::beside_lapack(c, given, got, found.backward);
    check.wrong = beside.wrong;
    check.second_measure = "growth max |U| / max |A|";
    check.second_error = beside.growth;
    if (!beside.happened.empty()) check.details.emplace_back("What happened", beside.happened);
  }
  if (!found.happened.empty()) check.details.emplace_back("What happened", found.happened);
  if (!found.think.empty()) check.details.emplace_back("Think", found.think);
  return check;
}

/// A next to the reference's factors, of problems that are factorised again in no time.
std::optional<ladder::Compared> compared(const test::Case&, const Problem& given, const Problem& got) {
  if (given.n > 512) return {};
  const std::size_t n = given.n;
  const std::vector<double> expected = test::factors(given);
  ladder::Compared A{.array = "A", .columns = n};
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c) {
      const double factor = expected[r * n + c];
      A.add(factor, got.A[r * n + c], 1e-6 * std::max(1.0, std::abs(factor)));
    }
  return A;
}

std::vector<ladder::Compared> inputs(const test::Case&, const Problem& given) {
  const std::size_t n = given.n;
  return {{.array = "A", .columns = n, .expected = {given.A, given.A + n * n}}};
}

Check verify_quickly(const test::Case&, const Problem& given, const Problem& got, Random& random) {
  return {.wrong = test::compare_quickly(given, got, random)};
}

const ladder::Suite<Problem, test::Case> suite{
    .lesson = lesson,
    .cases = test::cases,
    .sized =
        [](const Step&, int size, bool) {
          return test::Case{"general", size};
        },
    .name = test::name,
    .shape = [](const test::Case& c) { return Problem{.n = c.n}; },
    .fill = [](const test::Case& c, Problem& p, Random& random) { test::fill(c, random, p.A); },
    .verify = verify,
    .verify_quickly = verify_quickly,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}};
        },
    .model = [](const test::Case& c) { return work(Problem{.n = c.n}); },
    .work = [](int n) { return std::pow(n, 3); },
    .compared = compared,
    .inputs = inputs,
};

}  // namespace

LADDER_JUDGE(suite)

#include "amounts.hpp"

#include <cmath>

#include "common/judge/judge.hpp"
#include "lapack.hpp"
#include "problems.hpp"
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

std::vector<ladder::Compared> inputs(const test::Case&, const Problem& given) {
  const std::size_t n = given.n;
  return {{.array = "A", .columns = n, .expected = {given.A, given.A + n * n}}};
}

Check verify_quickly(const test::Case&, const Problem& given, const Problem& got, Random& random) {
  return {.wrong = test::compare_quickly(given, got, random)};
}

const ladder::Suite<Problem, test::Case> suite{
    .amounts = amounts,
    .cases = test::cases,
    .sized =
        [](const Step& step, int size, bool restricted) {
          test::Case c{.group = "general", .n = size, .ranks = restricted ? 4 : 0};
          c.grid = asks_of(step).grid;
          // What ranks of a grid send depends on the pivots: here it is known, and the most possible.
          if (restricted && c.grid) c.entries = test::Entries::shifted;
          return c;
        },
    .name = test::name,
    .shape = [](const test::Case& c) { return Problem{.n = c.n, .ranks = {.grid = c.grid}}; },
    .fill = [](const test::Case& c, Problem& p, Random& random) { test::fill(c, random, p.A); },
    .verify = verify,
    .verify_quickly = verify_quickly,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}};
        },
    .model = [](const test::Case& c) { return work(Problem{.n = c.n}); },
    .work = [](int n) { return std::pow(n, 3); },
    .inputs = inputs,
    .ranks = [](const test::Case& c) { return c.ranks; },
};

}  // namespace

LADDER_JUDGE(suite)

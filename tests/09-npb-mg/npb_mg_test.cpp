/// @file
/// What the judge knows of lesson 09: its problems, and how a result is verified.

#include <algorithm>
#include <iterator>

#include "amounts.hpp"
#include "common/judge/judge.hpp"
#include "problems.hpp"

namespace {

using namespace npb_mg;
using ladder::Random;
using ladder::Step;

std::vector<test::Case> cases_of(const Step& step) {
  std::vector<test::Case> all = test::cases(step.data == ladder::Data::host, ladder::on_gpu());
  if (step.data == ladder::Data::distributed)
    std::ranges::copy(test::cases_of_ranks(), std::back_inserter(all));
  if (asks_of(step).residual_first)
    std::ranges::copy(test::cases_of_residual_first(), std::back_inserter(all));
  return all;
}

/// One problem for targets and times.
test::Case sized(const Step& step, int size, bool) {
  test::Case c = test::sized(size);
  c.residual_first = asks_of(step).residual_first;
  return c;
}

const ladder::Suite<Problem, test::Case> suite{
    .amounts = amounts,
    .cases = cases_of,
    .sized = sized,
    .name = test::name,
    .shape = test::shape,
    .fill = [](const test::Case& c, Problem& p, Random& random) { test::fill(c, random, p); },
    .verify = test::compare,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.grid.nx}};
        },
    .model = [](const test::Case& c) { return work(test::shape(c)); },
    .operations = [](const test::Case& c) { return work(test::shape(c)).fp64; },
    .work = [](int n) { return double(n) * n * n; },
    .small_sizes = {4, 8, 16, 32},
    .ranks = [](const test::Case& c) { return c.ranks; },
    .content_repeats = [](const test::Case& c) { return c.iteration > 0; },
};

}  // namespace

LADDER_JUDGE(suite)

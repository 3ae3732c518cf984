#include "amounts.hpp"

#include <algorithm>
#include <cmath>

#include "common/judge/judge.hpp"
#include "explain.hpp"
#include "problems.hpp"
#include "reference.hpp"
#include "verify.hpp"

namespace {

using namespace gauss;
using ladder::Check;
using ladder::Random;
using ladder::Step;

/// Blocks that no device holds at once.
constexpr int too_many_blocks = 1'000'000;

std::vector<test::Case> cases_of(const Step& step) {
  const auto asks = asks_of(step);
  std::vector<test::Case> all = test::cases(asks.pivots, asks.any_grid, step.data == ladder::Data::resident);
  if (asks.resident_grid) {
    for (test::Case& c : all) c.blocks = std::min(c.blocks, 100);  // small devices hold that many at once
    all.push_back({"refused grid", 33, test::Entries::uniform, 0, too_many_blocks, 64});
  }
  if (asks.panels) {
    using enum test::Entries;
    for (const int n : {130, 256, 300}) all.push_back({"several blocks", n, uniform});
    all.push_back({"several blocks", 280, ill_scaled});
    all.push_back({"several blocks", 200, permutation, 3});
    all.push_back({"singular", 220, zero_column});
  }
  // So long that threads which disturb each other meet.
  if (!ladder::for_gpu(step)) all.push_back({"threads", 384});
  for (test::Case& c : all) c.asks = asks;
  return all;
}

/// One problem for targets and times. It needs no pivoting, so that the baseline and the rung below can race.
/// @param restricted  with an imposed grid
test::Case sized(const Step& step, int size, bool restricted) {
  test::Case c{"general", size};
  if (restricted) c.blocks = 6, c.threads = 64;
  c.asks = asks_of(step);
  return c;
}

std::string refused(const test::Case& c) {
  return c.blocks < too_many_blocks
             ? ""
             : "no device holds 1,000,000 blocks at once, and the rung returned as if all of them had waited";
}

Check verify(const test::Case& c, const Problem& given, const Problem& got) {
  const test::Comparison found = test::compare(given, got, c.asks.pivots, c.entries);
  Check check;
  check.wrong = found.wrong;
  check.measure = "||b - Ax|| / (||A|| ||x|| + ||b||), in eps";
  check.error = found.error;
  check.bound = found.bound;
  if (found.x_wrong) check.details = test::explain(c, given, got);
  return check;
}

/// x next to the reference's, where there is one and no rounding decides which.
std::optional<ladder::Compared> compared(const test::Case& c, const Problem& given, const Problem& got) {
  const bool one_x = !test::singular(c.entries) && c.entries != test::Entries::repeated_row;
  if (!one_x || given.n > test::largest_reference) return {};
  ladder::Compared x{.array = "x"};
  double largest = 0;
  const std::vector<double> expected = test::eliminate(given, c.asks.pivots).x;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (int i = 0; i < given.n; ++i) x.add(expected[i], got.x[i], 1e-6 * largest);
  return x;
}

std::vector<ladder::Compared> inputs(const test::Case&, const Problem& given) {
  ladder::Compared A{.array = "A", .columns = std::size_t(given.n)}, b{.array = "b"};
  for (int i = 0; i < given.n; ++i) {
    const double* row = given.A + std::size_t(i) * given.lda;
    A.expected.insert(A.expected.end(), row, row + given.n);
  }
  b.expected.assign(given.b, given.b + given.n);
  return {A, b};
}

/// Adds what the cases that were right say.
void advise(const Step&, const std::vector<test::Case>& right, const test::Case& wrong, const Problem&,
            const Problem&, ladder::TestReport& report) {
  for (const auto& [heading, text] : test::explain_case(right, wrong)) report.detail(heading, text);
}

Check verify_quickly(const test::Case&, const Problem& given, const Problem& got, Random&) {
  return {.wrong = test::compare_quickly(given, got)};
}

const ladder::Suite<Problem, test::Case> suite{
    .amounts = amounts,
    .cases = cases_of,
    .sized = sized,
    .name = test::name,
    .shape = test::shape,
    .fill = [](const test::Case& c, Problem& p, Random& random) { test::fill(c, random, p); },
    .verify = verify,
    .verify_quickly = verify_quickly,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}};
        },
    .model = [](const test::Case& c) { return work(test::shape(c)); },
    .operations = [](const test::Case& c) { return work(test::shape(c)).fp64; },
    .work = [](int n) { return std::pow(n, 3); },
    .advise = advise,
    .compared = compared,
    .inputs = inputs,
    .refused = refused,
};

}  // namespace

LADDER_JUDGE(suite)

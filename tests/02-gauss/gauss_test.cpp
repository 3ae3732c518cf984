#include "gauss.hpp"

#include <algorithm>
#include <cmath>

#include "common/judge/judge.hpp"
#include "explain.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace gauss;
using ladder::Check;
using ladder::Instance;
using ladder::Random;
using ladder::Step;

using Given = ladder::Case<Problem>;

// The case that is being judged: verification and advice need more of it than its shape.
test::Case current;
bool pivoting = false;
bool in_place = true;  // row i of the triangle is row i of A

/// Blocks that no device holds at once.
constexpr int too_many_blocks = 1'000'000;

Given as_given(const Step& step, const test::Case& c) {
  const auto fill = [c, asks = ladder::asks_of<Asks>(step)](Instance<Problem>& instance, Random& random) {
    current = c;
    pivoting = asks.pivots;
    in_place = !asks.rows_stay;
    test::fill(c, random, instance.given());
  };
  Given given{.group = c.group, .label = test::name(c), .shape = test::shape(c), .fill = fill};
  if (c.blocks == too_many_blocks)
    given.refused =
        "no device holds 1,000,000 blocks at once, and the step returned as if all of them had waited";
  return given;
}

std::vector<test::Case> cases_of(const Step& step) {
  const auto asks = ladder::asks_of<Asks>(step);
  std::vector<test::Case> all = test::cases(asks.pivots, asks.any_grid);
  if (asks.resident_grid) {
    for (test::Case& c : all) c.blocks = std::min(c.blocks, 100);  // small devices hold that many at once
    all.push_back({"refused grid", 33, test::Entries::uniform, 0, too_many_blocks, 64});
  }
  // So long that threads which disturb each other meet.
  if (!ladder::for_gpu(step)) all.push_back({"threads", 384});
  return all;
}

std::vector<Given> given_cases(const Step& step, int size) {
  if (size > 0) return {as_given(step, {"general", size})};
  std::vector<Given> result;
  for (const test::Case& c : cases_of(step)) result.push_back(as_given(step, c));
  return result;
}

/// One problem for targets and times. It needs no pivoting, so that the baseline and the rung below can race.
/// @param restricted  with an imposed grid
Given sized(const Step& step, int size, bool restricted) {
  test::Case c{"general", size};
  if (restricted) c.blocks = 6, c.threads = 64;
  return as_given(step, c);
}

Check verify(const Instance<Problem>& instance) {
  const test::Comparison found = test::compare(instance.given(), instance.got(), pivoting, current.entries);
  Check check;
  check.wrong = found.wrong;
  check.measure = "||b - Ax|| / (||A|| ||x|| + ||b||), in eps";
  check.error = found.error;
  check.bound = found.bound;
  if (found.x_wrong)
    check.details = test::explain(pivoting, in_place, current, instance.given(), instance.got());
  return check;
}

/// Adds what the cases that were right say.
void advise(const Step& step, const ladder::Progress& progress, ladder::Sheet& sheet) {
  std::vector<test::Case> right;
  for (const test::Case& c : cases_of(step))
    if (std::count(progress.passed.begin(), progress.passed.end(), test::name(c)) > 0) right.push_back(c);
  for (const auto& [heading, text] : test::explain_case(right, current)) sheet.detail(heading, text);
}

Check verify_quickly(const Instance<Problem>& instance, Random&) {
  Check check;
  check.wrong = test::compare_quickly(instance.given(), instance.got());
  return check;
}

const ladder::Suite<Problem> suite{
    .lesson = lesson,
    .cases = given_cases,
    .sized = sized,
    .verify = verify,
    .verify_quickly = verify_quickly,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}};
        },
    .model = [](const Problem& p) { return work(p); },
    .operations = [](const Step&, const Problem& p) { return work(p).fp64; },
    .work = [](int n) { return std::pow(n, 3); },
    .advise = advise,
};

}  // namespace

LADDER_JUDGE(suite)

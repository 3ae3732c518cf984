#include <algorithm>
#include <string>

#include "common/judge/judge.hpp"
#include "explain.hpp"
#include "first_steps.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace first_steps;
using ladder::Check;
using ladder::Instance;
using ladder::Random;
using ladder::Step;

using Given = ladder::Case<Problem>;

// What is being judged: the bound of row sums goes by the step, advice by the case and what was found.
test::Case current;
test::Precision precision;
test::Comparison found;

Given as_given(const Asks& asks, const test::Case& c) {
  const auto fill = [c, asks](Instance<Problem>& instance, Random& random) {
    current = c;
    // g8 is where a sum in float is right, and its rounding is the target.
    precision = asks.compensated ? test::Precision::single_bits : test::Precision::double_bits;
    test::fill(c, random.bits(), instance.given());
  };
  return {.group = c.group, .label = test::name(c), .shape = test::shape(c, asks.wanted), .fill = fill};
}

std::vector<Given> cases_of(const Step& step, int size) {
  const auto asks = ladder::asks_of<Asks>(step);
  if (size > 0) return {as_given(asks, test::square(asks, size))};
  std::vector<Given> result;
  for (const test::Case& c : test::cases(asks)) result.push_back(as_given(asks, c));
  return result;
}

Check verify(const Instance<Problem>& instance) {
  found = test::compare(instance.given(), instance.got(), precision);
  Check check;
  check.wrong = test::describe(instance.given(), found);
  check.measure = found.measure;
  check.error = found.error;
  check.bound = found.bound;
  check.amount = found.ulps;
  return check;
}

/// Adds what the pattern of right and wrong cases says.
void advise(const Step& step, const ladder::Progress& progress, ladder::Sheet& sheet) {
  std::vector<test::Case> right;
  for (const test::Case& c : test::cases(ladder::asks_of<Asks>(step)))
    if (std::count(progress.passed.begin(), progress.passed.end(), test::name(c)) > 0) right.push_back(c);
  for (const auto& [heading, text] : test::explain(ladder::asks_of<Asks>(step), right, current, found))
    sheet.detail(heading, text);
}

const ladder::Suite<Problem> suite{
    .lesson = lesson,
    .cases = cases_of,
    .sized =
        [](const Step& step, int size, bool) {
          return as_given(ladder::asks_of<Asks>(step), test::square(ladder::asks_of<Asks>(step), size));
        },
    .verify = verify,
    .verify_quickly = [](const Instance<Problem>& instance, Random&) { return verify(instance); },
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"m", p.rows}, {"n", p.columns}};
        },
    .model = [](const Problem& p) { return work(p); },
    .advise = advise,
};

}  // namespace

LADDER_JUDGE(suite)

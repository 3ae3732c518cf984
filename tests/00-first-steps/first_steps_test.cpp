#include <string>
#include <vector>

#include "amounts.hpp"
#include "common/judge/judge.hpp"
#include "explain.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace first_steps;
using ladder::Check;
using ladder::Random;
using ladder::Step;

/// Compensated sums in float are right: their rounding is the target.
test::Precision precision_of(const test::Case& c) {
  return c.asks.compensated ? test::Precision::single_bits : test::Precision::double_bits;
}

test::Comparison compare(const test::Case& c, const Problem& given, const Problem& got) {
  return test::compare(given, got, precision_of(c));
}

std::vector<ladder::Compared> inputs(const test::Case&, const Problem& given) {
  ladder::Compared A{.array = "A", .columns = std::size_t(given.columns)};
  A.expected.assign(given.A, given.A + std::size_t(given.rows) * given.columns);
  return {A};
}

Check verify(const test::Case& c, const Problem& given, const Problem& got) {
  const test::Comparison found = compare(c, given, got);
  Check check;
  check.wrong = test::describe(given, found);
  check.measure = found.measure;
  check.error = found.error;
  check.bound = found.bound;
  check.amount = found.ulps;
  return check;
}

/// Adds what the pattern of right and wrong cases says.
void advise(const Step&, const std::vector<test::Case>& right, const test::Case& wrong, const Problem& given,
            const Problem& got, ladder::TestReport& report) {
  for (const auto& [heading, text] : test::explain(right, wrong, compare(wrong, given, got)))
    report.detail(heading, text);
}

const ladder::Suite<Problem, test::Case> suite{
    .amounts = amounts,
    .cases = [](const Step& step) { return test::cases(asks_of(step)); },
    .sized = [](const Step& step, int size, bool) { return test::square(asks_of(step), size); },
    .name = test::name,
    .shape = test::shape,
    .fill = [](const test::Case& c, Problem& p, Random& random) { test::fill(c, random.child(), p); },
    .verify = verify,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"m", p.rows}, {"n", p.columns}};
        },
    .model = [](const test::Case& c) { return work(test::shape(c)); },
    .advise = advise,
    .compared = [](const test::Case& c, const Problem& given,
                   const Problem& got) { return test::compared(given, got, precision_of(c)); },
    .inputs = inputs,
};

}  // namespace

LADDER_JUDGE(suite)

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

Given as_given(const Step& step, const test::Case& c) {
  const std::string file = step.file;
  const auto fill = [c, file](Instance<Problem>& instance, Random& random) {
    current = c;
    // g8 is where a sum in float is right, and its rounding is the target.
    precision =
        file.find("compensated") == file.npos ? test::Precision::double_bits : test::Precision::single_bits;
    test::fill(c, random.bits(), instance.given());
  };
  return {
      .group = c.group, .label = test::name(c), .shape = test::shape(c, test::wanted_of(file)), .fill = fill};
}

std::vector<Given> cases_of(const Step& step, int size) {
  if (size > 0) return {as_given(step, test::square(step.file, size))};
  std::vector<Given> result;
  for (const test::Case& c : test::cases_of(step.file)) result.push_back(as_given(step, c));
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
  for (const test::Case& c : test::cases_of(step.file))
    if (std::count(progress.passed.begin(), progress.passed.end(), test::name(c)) > 0) right.push_back(c);
  for (const auto& [heading, text] : test::explain(step.file, right, current, found))
    sheet.detail(heading, text);
}

const ladder::Suite<Problem> suite{
    .lesson = lesson,
    .cases = cases_of,
    .sized = [](const Step& step, int size) { return as_given(step, test::square(step.file, size)); },
    .verify = verify,
    .verify_quickly = [](const Instance<Problem>& instance, Random&) { return verify(instance); },
    .necessary = [](const Step& step, const Problem& p) { return test::necessary(step.target().metric, p); },
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"m", p.rows}, {"n", p.columns}};
        },
    .model = [](const Step&, const Problem& p) { return work(p); },
    .advise = advise,
};

}  // namespace

LADDER_JUDGE(suite)

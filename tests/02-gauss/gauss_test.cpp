#include "gauss.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

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

/// g7 and g8: rows keep their places, so row i of the triangle is any row of A.
bool leaves_rows(const Step& step) {
  return step.file[0] == 'g' && step.file[1] >= '7';
}

/// g8: its grid may be only as large as the device.
bool waits_for_its_grid(const Step& step) {
  return std::string_view(step.file).starts_with("g8");
}

Given as_given(const Step& step, const test::Case& c) {
  const bool pivots = gauss::pivots(step.file), in_order = !leaves_rows(step);
  const auto fill = [c, pivots, in_order](Instance<Problem>& instance, Random& random) {
    current = c;
    pivoting = pivots;
    in_place = in_order;
    test::fill(c, random, instance.given());
  };
  Given given{.group = c.group, .label = test::name(c), .shape = test::shape(c), .fill = fill};
  if (c.blocks == too_many_blocks)
    given.refused =
        "no device holds 1,000,000 blocks at once, and the step returned as if all of them had waited";
  return given;
}

std::vector<test::Case> cases_of(const Step& step) {
  std::vector<test::Case> all = test::cases(pivots(step.file), ladder::for_gpu(step) && step.file[1] >= '2');
  if (waits_for_its_grid(step)) {
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
Given sized(const Step& step, int size) {
  test::Case c{"general", size};
  const bool timed = size == step.time.size || size == lesson.on_device.usual ||
                     size == lesson.on_device.further || size == lesson.on_device.small;
  if (std::string_view(step.target().metric) == "work_items" && !timed) c.blocks = 6, c.threads = 64;
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
    .necessary = test::necessary,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}};
        },
    .model = [](const Step&, const Problem& p) { return work(p); },
    .operations = [](const Step&, const Problem& p) { return work(p).fp64; },
    .work = [](int n) { return std::pow(n, 3); },
    .advise = advise,
};

}  // namespace

LADDER_JUDGE(suite)

#include <bit>

#include "common/judge/judge.hpp"
#include "npb_ft.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace npb_ft;
using ladder::Check;
using ladder::Instance;
using ladder::Random;
using ladder::Step;

using Given = ladder::Case<Problem>;

Given as_given(const test::Case& c) {
  const auto fill = [c](Instance<Problem>& instance, Random& random) {
    const State seed = test::seed_of(c, random);
    instance.change([&](Problem& p) { p.seed = seed; });
  };
  return {.group = c.group, .label = test::name(c), .shape = test::shape(c), .fill = fill};
}

std::vector<Given> given_cases(const Step& step, int size) {
  if (size > 0) return {as_given(test::sized(size))};
  std::vector<Given> result;
  for (const test::Case& c : test::cases(!ladder::for_gpu(step), ladder::on_gpu()))
    result.push_back(as_given(c));
  return result;
}

Check verify(const Instance<Problem>& instance) {
  const test::Comparison found = test::compare(instance.given(), instance.got());
  Check check;
  check.wrong = found.wrong;
  check.measure = "largest difference over eps log2(N) rms(u)";
  check.error = found.error;
  check.bound = test::error_bound;
  check.details = found.details;
  return check;
}

const ladder::Suite<Problem> suite{
    .lesson = lesson,
    .cases = given_cases,
    .sized =
        [](const Step&, int size, bool) {
          Given given = as_given(test::sized(size));
          given.content_repeats = test::content_repeats(size);
          return given;
        },
    .verify = verify,
    .verify_quickly = [](const Instance<Problem>& instance, Random&) { return verify(instance); },
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"M", std::countr_zero(p.points())}};
        },
    .model = [](const Problem& p) { return work(p); },
    .work = test::work,
    .small_sizes = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12},  // of 2^M points
};

}  // namespace

LADDER_JUDGE(suite)

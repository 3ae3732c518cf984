#include <bit>
#include <cmath>

#include "common/judge/judge.hpp"
#include "npb_ep.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace npb_ep;
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
  check.measure = "difference of a sum over what rounding explains";
  check.error = found.error;
  check.bound = 1;
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
          return std::map<std::string, int>{{"M", std::countr_zero(std::uint64_t(p.pairs))}};
        },
    .model = [](const Problem& p) { return work(p); },
    .work = [](int M) { return std::ldexp(1.0, M); },
    .small_sizes = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14},  // of 2^M pairs
};

}  // namespace

LADDER_JUDGE(suite)

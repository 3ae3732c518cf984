#include "lu.hpp"
#include <cmath>

#include "common/judge/judge.hpp"
#include "lapack.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace lu;
using ladder::Check;
using ladder::Instance;
using ladder::Random;
using ladder::Step;

using Given = ladder::Case<Problem>;

test::Case current;  // the case that is being judged: verification needs to know its kind

Given as_given(const test::Case& c) {
  Problem shape;
  shape.n = c.n;
  return {c.group, test::name(c), shape, [c](Instance<Problem>& instance, Random& random) {
            current = c;
            test::fill(c, random, instance->A);
          }};
}

std::vector<Given> cases_of(const Step& step, int size) {
  if (size > 0) return {as_given({"general", size})};
  std::vector<Given> result;
  for (const test::Case& c : test::cases(step)) result.push_back(as_given(c));
  return result;
}

Check verify(const Instance<Problem>& instance) {
  const test::Comparison found = test::compare(instance.given(), instance.got());
  Check check;
  check.wrong = found.wrong;
  check.measure = "||PA - LU|| / (n ||A|| eps)";
  check.error = found.residual;
  check.bound = test::residual_bound;
  if (check.right()) {
    const test::BesideLapack beside =
        test::beside_lapack(current, instance.given(), instance.got(), found.backward);
    check.wrong = beside.wrong;
    check.second_measure = "growth max |U| / max |A|";
    check.second_error = beside.growth;
    if (!beside.happened.empty()) check.details.emplace_back("What happened", beside.happened);
  }
  if (!found.happened.empty()) check.details.emplace_back("What happened", found.happened);
  if (!found.think.empty()) check.details.emplace_back("Think", found.think);
  return check;
}

Check verify_quickly(const Instance<Problem>& instance, Random& random) {
  Check check;
  check.wrong = test::compare_quickly(instance.given(), instance.got(), random);
  return check;
}

const ladder::Suite<Problem> suite{
    .lesson = lesson,
    .cases = cases_of,
    .sized =
        [](const Step&, int size, bool) {
          return as_given({"general", size});
        },
    .verify = verify,
    .verify_quickly = verify_quickly,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}};
        },
    .model = [](const Problem& p) { return work(p); },
    .work = [](int n) { return std::pow(n, 3); },
};

}  // namespace

LADDER_JUDGE(suite)

#include <bit>
#include <cmath>

#include "amounts.hpp"
#include "common/judge/judge.hpp"
#include "problems.hpp"
#include "reference.hpp"
#include "verify.hpp"

namespace {

using namespace npb_ep;
using ladder::Check;
using ladder::Random;
using ladder::Step;

Check verify(const test::Case&, const Problem& given, const Problem& got) {
  const test::Comparison found = test::compare(given, got);
  return {.wrong = found.wrong,
          .measure = "difference of a sum over what rounding explains",
          .error = found.error,
          .bound = 1,
          .details = found.details};
}

/// The counts next to the reference's.
std::optional<ladder::Compared> compared(const test::Case&, const Problem& given, const Problem& got) {
  if (given.pairs > test::largest_reference) return {};
  const test::Result& expected = test::reference(given.pairs, given.seed);
  ladder::Compared q{.array = "q"};
  for (int l = 0; l < bins; ++l) q.add(double(expected.q[l]), double(got.q[l]), 0);
  return q;
}

const ladder::Suite<Problem, test::Case> suite{
    .amounts = amounts,
    .cases = [](const Step& step) { return test::cases(!ladder::for_gpu(step), ladder::on_gpu()); },
    .sized = [](const Step&, int size, bool) { return test::sized(size); },
    .name = test::name,
    .shape = test::shape,
    .fill = [](const test::Case& c, Problem& p, Random& random) { p.seed = test::seed_of(c, random); },
    .verify = verify,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"M", std::countr_zero(std::uint64_t(p.pairs))}};
        },
    .model = [](const test::Case& c) { return work(test::shape(c)); },
    .work = [](int M) { return std::ldexp(1.0, M); },
    .small_sizes = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14},  // of 2^M pairs
    .compared = compared,
    .content_repeats = [](const test::Case& c) { return c.content_repeats; },
};

}  // namespace

LADDER_JUDGE(suite)

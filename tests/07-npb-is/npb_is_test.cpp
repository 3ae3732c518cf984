/// @file
/// What the judge knows of lesson 07: its problems, and how a result is verified.

#include <bit>
#include <cmath>

#include "amounts.hpp"
#include "common/judge/judge.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace npb_is;
using ladder::Random;
using ladder::Step;

const ladder::Suite<Problem, test::Case> suite{
    .amounts = amounts,
    .cases = [](const Step& step) { return test::cases(!ladder::for_gpu(step), ladder::on_gpu()); },
    .sized = [](const Step&, int size, bool) { return test::sized(size); },
    .name = test::name,
    .shape = test::shape,
    .fill = [](const test::Case& c, Problem& p, Random& random) { test::fill(c, random, p); },
    .verify = test::compare,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"log2 n", std::countr_zero(std::uint64_t(p.n))}};
        },
    .model = [](const test::Case& c) { return work(test::shape(c)); },
    .work = [](int size) { return std::ldexp(1.0, size); },
    .small_sizes = {4, 5, 6, 8, 10, 12, 14},  // of 2^size keys
    .content_repeats = [](const test::Case& c) { return c.spread == test::Spread::official; },
};

}  // namespace

LADDER_JUDGE(suite)

#include "amounts.hpp"

#include <cmath>
#include <utility>

#include "common/judge/judge.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace cholesky;
using ladder::Check;
using ladder::Random;
using ladder::Step;

Check check_of(const test::Comparison& found) {
  Check check;
  check.wrong = found.wrong;
  check.measure = "||Ax - b|| / (||A|| ||x|| + ||b||) with A's diagonal scaled to 1";
  check.error = found.error;
  check.bound = test::largest_error;
  check.details = found.details;
  return check;
}

double operations(const test::Case& c) {
  return test::prepare(c)->structure.flops();
}

ladder::Work model(const test::Case& c) {
  return {.fp64 = operations(c),
          .bytes = 2 * double(test::prepare(c)->structure.bytes()),
          .formula = "the operations of all tiles, each tile read and written once"};
}

/// The same for a rung whose L stays on the device.
test::Case asked(const Step& step, test::Case c) {
  c.L_stays = asks_of(step).L_stays;
  return c;
}

std::vector<test::Case> cases_of(const Step& step) {
  std::vector<test::Case> all = test::cases(ladder::for_gpu(step));
  for (test::Case& c : all) c = asked(step, std::move(c));
  return all;
}

const ladder::Suite<Problem, test::Case> suite{
    .amounts = amounts,
    .cases = cases_of,
    .sized = [](const Step& step, int size,
                bool) { return asked(step, test::sized(size, ladder::for_gpu(step))); },
    .of_file =
        [](const Step& step, const std::string& path) {
          return asked(step, test::of_file(path, ladder::for_gpu(step)));
        },
    .file_facts =
        [](const test::Case& c) {
          return std::map<std::string, std::int64_t>{{"n", c.size}, {"nnz", test::prepare(c)->A.nnz()}};
        },
    .name = test::name,
    .shape = test::shape,
    .fill = [](const test::Case& c, Problem& p, Random& random) { test::fill(c, random, p); },
    .verify = [](const test::Case& c, const Problem& given,
                 const Problem& got) { return check_of(test::compare(c, given, got)); },
    .verify_quickly = [](const test::Case& c, const Problem& given, const Problem& got,
                         Random&) { return check_of(test::compare_quickly(c, given, got)); },
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}, {"s", p.s}};
        },
    .model = model,
    .operations = operations,
    .work = [](int n) { return std::pow(n, 1.6); },  // a separator's cube, and tiles that hold zeros
    .compared = test::compared,
    .refused =
        [](const test::Case& c) {
          const bool too_little = c.share_of_memory > 0 && c.share_of_memory < 1;
          return std::string(
              too_little
                  ? "the device memory that the problem allows holds none of this, and the rung returned"
                  : "");
        },
};

}  // namespace

LADDER_JUDGE(suite)

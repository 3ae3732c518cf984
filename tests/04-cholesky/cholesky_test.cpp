#include "cholesky.hpp"

#include <cmath>

#include "common/judge/judge.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace cholesky;
using ladder::Check;
using ladder::Instance;
using ladder::Random;
using ladder::Step;

using Given = ladder::Case<Problem>;

// The case that is being judged and its matrix: verification needs more than the tiles.
test::Case current;
Symmetric matrix;

Given as_given(const test::Case& c) {
  const auto fill = [c](Instance<Problem>& instance, Random& random) {
    current = c;
    matrix = test::fill(c, random, instance.given());
  };
  Given given{.group = c.group, .label = test::name(c), .shape = test::shape(c), .fill = fill};
  if (c.share_of_memory > 0 && c.share_of_memory < 1)
    given.refused = "the device memory that the problem allows holds none of this, and the step returned";
  return given;
}

std::vector<Given> given_cases(const Step& step, int size) {
  if (size > 0) return {as_given(test::sized(size, ladder::for_gpu(step)))};
  std::vector<Given> result;
  for (const test::Case& c : test::cases(ladder::for_gpu(step))) result.push_back(as_given(c));
  return result;
}

test::Case last_sized;

Check check_of(const test::Comparison& found) {
  Check check;
  check.wrong = found.wrong;
  check.measure = "||Ax - b|| / (||A|| ||x|| + ||b||)";
  check.error = found.error;
  check.bound = test::largest_error;
  check.details = found.details;
  return check;
}

const ladder::Suite<Problem> suite{
    .lesson = lesson,
    .cases = given_cases,
    .sized =
        [](const Step& step, int size, bool) {
          last_sized = test::sized(size, ladder::for_gpu(step));
          return as_given(last_sized);
        },
    .verify =
        [](const Instance<Problem>& instance) {
          return check_of(test::compare(current, matrix, instance.given(), instance.got()));
        },
    .verify_quickly =
        [](const Instance<Problem>& instance, Random&) {
          return check_of(test::compare_quickly(current, matrix, instance.given(), instance.got()));
        },
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}, {"s", p.s}};
        },
    .model =
        [](const Problem&) {
          const Structure& structure = test::prepare(last_sized)->structure;
          return ladder::Work{.fp64 = structure.flops(),
                              .bytes = 2 * double(structure.bytes()),
                              .formula = "the operations of all tiles, each tile read and written once"};
        },
    .operations = [](const Step&, const Problem&) { return test::prepare(last_sized)->structure.flops(); },
    .work = [](int n) { return std::pow(n, 1.6); },  // a separator's cube, and tiles that hold zeros
};

}  // namespace

LADDER_JUDGE(suite)

#include <algorithm>

#include "common/judge/judge.hpp"
#include "dgemm.hpp"
#include "explain.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace dgemm;
using ladder::Check;
using ladder::Instance;
using ladder::Random;
using ladder::Step;

using Given = ladder::Case<Problem>;

// The case that is being judged and what was found: advice about a failure compares it with what passed.
test::Case current;
int current_ranks = 0;  // 0: as the row says
test::Comparison found;

Given as_given(const test::Case& c, int ranks = 0) {
  const auto fill = [c, ranks](Instance<Problem>& instance, Random& random) {
    current = c;
    current_ranks = ranks;
    test::fill(c, random.bits(), instance.given());
  };
  const std::string label = test::name(c) + (ranks > 0 ? ", " + std::to_string(ranks) + " ranks" : "");
  return {.group = c.group, .label = label, .shape = test::shape(c), .fill = fill, .ranks = ranks};
}

std::vector<Given> cases_of(const Step& step, int size) {
  if (size > 0) return {as_given(test::square(size))};
  std::vector<Given> result;
  for (const test::Case& c : test::cases()) result.push_back(as_given(c));
  const auto asks = ladder::asks_of<Asks>(step);
  if (step.track() == 'c') {
    // So long that threads which disturb each other meet: many blocks, and one long sum.
    result.push_back(as_given({"threads", 384, 384, 384}));
    result.push_back(as_given({"threads", 64, 64, 8192}));
  }
  // Larger blocks than those of the usual cases: the last ones full, with one row, with one column less, and passes that end
  // in between.
  if (const int b = asks.block; b > 32) {
    result.push_back(as_given({"tails", b, b, 8}));
    result.push_back(as_given({"tails", b + 1, b - 1, 9}));
    result.push_back(as_given({"tails", b + 2, 2 * b + 3, 23}));
    result.push_back(as_given({"leading dimensions", b + 3, b + 1, 21, test::Entries::uniform, 1, 1, 1}));
  }
  // Device memory for the least that a step is promised, and for a little more: parts of 128 x 128 and of 256 x 256.
  if (asks.in_parts) {
    constexpr std::size_t least = 6 * 128 * 128 * sizeof(double);
    using enum test::Entries;
    result.push_back(as_given({"parts", 130, 131, 129, uniform, 0, 0, 0, least}));
    result.push_back(as_given({"parts", 128, 128, 512, uniform, 0, 0, 0, least}));
    result.push_back(as_given({"parts", 300, 270, 400, uniform, 1, 2, 3, least}));
    result.push_back(as_given({"parts", 384, 384, 384, uniform, 0, 0, 0, 10 * least / 6}));
    result.push_back(as_given({"parts", 200, 260, 0, uniform, 0, 0, 0, least}));
    result.push_back(as_given({"parts", 257, 130, 300, cancelling, 0, 0, 0, least}));
    // A and B have 20 parts of 128 x 128: all may stay, with 2, with 5 and with 10 parts of C; and one part too few.
    for (const int parts : {22, 25, 30, 21})
      result.push_back(as_given({"parts", 520, 600, 130, uniform, 0, 0, 0, parts * least / 6}));
    result.push_back(as_given({"parts", 260, 131, 523, uniform, 3, 2, 1}));
  }
  // Another number of processes: the rows divide evenly, not evenly, and there are too few.
  if (step.ranks > 1)
    for (const int rows : {64, 45, 1}) result.push_back(as_given({"ranks", rows, 33, 50}, 2));
  return result;
}

Check verify(const Instance<Problem>& instance) {
  found = test::compare(instance.given(), test::reference(instance.given()), instance.got().C);
  Check check;
  check.wrong = test::describe(found);
  check.measure = "max |C - Cref| / (eps |A||B|)";
  check.error = found.error;
  check.bound = found.bound;
  if (current.entries == test::Entries::uniform) {  // where sums cancel it calls correct results wrong
    check.second_measure = "max |Cref - C| / (|Cref| + 1e-12), the source's; accepted there below 1e-8";
    check.second_error = found.source_measure;
  }
  return check;
}

/// Adds what the pattern of right and wrong cases says.
void advise(const Step& step, const ladder::Progress& progress, ladder::Sheet& sheet) {
  std::vector<test::Case> right;
  for (const test::Case& c : test::cases())
    if (std::count(progress.passed.begin(), progress.passed.end(), test::name(c)) > 0) right.push_back(c);
  const int ranks = current_ranks > 0 ? current_ranks : step.ranks;
  for (const auto& [heading, text] : test::explain(ladder::asks_of<Asks>(step), ranks, right, current, found))
    sheet.detail(heading, text);
}

Check verify_quickly(const Instance<Problem>& instance, Random& random) {
  Check check;
  check.wrong = test::compare_quickly(instance.given(), instance.got().C, random);
  return check;
}

const ladder::Suite<Problem> suite{
    .lesson = lesson,
    .cases = cases_of,
    .sized =
        [](const Step&, int size, bool restricted) {
          return as_given(restricted ? test::square_in_parts(size) : test::square(size));
        },
    .verify = verify,
    .verify_quickly = verify_quickly,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"m", p.m}, {"n", p.n}, {"k", p.k}};
        },
    .model = [](const Problem& p) { return work(p); },
    .operations = [](const Step&, const Problem& p) { return work(p).fp64; },
    .advise = advise,
};

}  // namespace

LADDER_JUDGE(suite)

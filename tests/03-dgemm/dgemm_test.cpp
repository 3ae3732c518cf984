
#include <fmt/format.h>

#include "amounts.hpp"
#include "common/judge/judge.hpp"
#include "explain.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace dgemm;
using ladder::Check;
using ladder::Random;
using ladder::Step;

/// Grids of one, of 2 x 2 and of 2 x 3 ranks: shares that are even and not, empty ones, and several panels of
/// terms in a block.
template <class Add>
void add_grids(Add add) {
  using enum test::Entries;
  for (const int ranks : {1, 4, 6}) {
    const auto on_grid = [&](test::Case c) {
      c.ranks = ranks;
      add(c);
    };
    on_grid({"ranks", 64, 64, 64});
    on_grid({"ranks", 45, 33, 50});
    on_grid({"ranks", 1, 2, 600});
    on_grid({"ranks", 70, 40, 1});
    on_grid({"leading dimensions", 37, 51, 301, uniform, 2, 3, 1});
    on_grid({"zero sizes", 5, 7, 0});
  }
}

std::vector<test::Case> cases_of(const Step& step) {
  std::vector<test::Case> result = test::cases();
  const auto add = [&](test::Case c) {
    c.extra = true;
    result.push_back(c);
  };
  const auto asks = asks_of(step);
  if (step.track() == 'c') {
    // So long that threads which disturb each other meet: many blocks, and one long sum.
    add({"threads", 384, 384, 384});
    add({"threads", 64, 64, 8192});
    // More rows and more columns than c2 packs at once.
    add({"thin", 5, 9000, 3});
    add({"thin", 9000, 5, 3});
  }
  // Rows of an even length do not begin at multiples of 16 bytes when the arrays do not.
  if (step.data != ladder::Data::host) add({.group = "alignment", .m = 160, .n = 128, .k = 64, .offset = 1});
  // Larger blocks than those of the usual cases: the last ones full, with one row, with one column less, and
  // passes that end in between.
  if (const int b = asks.block; b > 32) {
    add({"tails", b, b, 8});
    add({"tails", b + 1, b - 1, 9});
    add({"tails", b + 2, 2 * b + 3, 23});
    add({"leading dimensions", b + 3, b + 1, 21, test::Entries::uniform, 1, 1, 1});
  }
  // Four multiprocessors share: two tiles that lie, two that stand, one of each with single copies, one of
  // five, two of six. Sums so long that it is worth it, of passes that do not divide evenly; and one that is
  // not.
  if (asks.shares) {
    const int b = asks.block, d = asks.depth;
    add({"shared tiles", b, b, 33 * d});
    add({"shared tiles", 2 * b, b / 2, 41 * d});
    add({"shared tiles", b / 2 - 4, b - 3, 26 * d - 5, test::Entries::uniform, 1, 1, 1});
    add({"shared tiles", b - 3, b / 2 - 4, 30 * d + 1, test::Entries::uniform, 1, 1, 1});
    add({"shared tiles", 5 * b / 2 - 3, b, 25 * d, test::Entries::cancelling});
    add({"shared tiles", 3 * b / 2, 2 * b, 25 * d});
    add({"shared tiles", b, b, 7 * d});
  }
  // Long sums, numbers that cannot be scaled, and matrices on which errors are compared.
  if (asks.accurate) {
    using enum test::Entries;
    add({"accuracy", 96, 96, 96});
    for (const test::Entries entries : {scaled_lines, cancelling, ill_scaled})
      add({"accuracy", 96, 96, 96, entries});
    add({"accuracy", 3, 5, 4100});
    add({"ill-scaled", 20, 30, 40, denormal});
  }
  // Device memory for the least that a step is promised, and for a little more: parts of 128 x 128 and of 256
  // x 256.
  if (asks.in_parts) {
    constexpr std::size_t least = 6 * 128 * 128 * sizeof(double);
    using enum test::Entries;
    add({"parts", 130, 131, 129, uniform, 0, 0, 0, least});
    add({"parts", 128, 128, 512, uniform, 0, 0, 0, least});
    add({"parts", 300, 270, 400, uniform, 1, 2, 3, least});
    add({"parts", 384, 384, 384, uniform, 0, 0, 0, 10 * least / 6});
    add({"parts", 200, 260, 0, uniform, 0, 0, 0, least});
    add({"parts", 257, 130, 300, cancelling, 0, 0, 0, least});
    // A and B have 20 parts of 128 x 128: all may stay, with 2, with 5 and with 10 parts of C; and one part
    // too few.
    for (const int parts : {22, 25, 30, 21})
      add({"parts", 520, 600, 130, uniform, 0, 0, 0, parts * least / 6});
    add({"parts", 260, 131, 523, uniform, 3, 2, 1});
  }
  // Another number of processes: the rows divide evenly, not evenly, and there are too few.
  if (step.data == ladder::Data::distributed)
    add_grids(add);
  else if (step.ranks > 1)
    for (const int rows : {64, 45, 1}) add({.group = "ranks", .m = rows, .n = 33, .k = 50, .ranks = 2});
  return result;
}

test::Case sized(const Step& step, int size, bool restricted) {
  if (!restricted) return test::square(size);
  if (step.data == ladder::Data::distributed)
    return {.group = "general", .m = size, .n = size, .k = size, .ranks = 4};
  return asks_of(step).shares ? test::one_tile(size) : test::square_in_parts(size);
}

test::Comparison compare(const Problem& given, const Problem& got) {
  return test::compare(given, test::reference(given), got.C);
}

std::optional<ladder::Compared> compared(const test::Case&, const Problem& given, const Problem& got) {
  const test::Reference reference = test::reference(given);
  ladder::Compared C{.array = "C", .columns = std::size_t(given.n)};
  for (int i = 0; i < given.m; ++i)
    for (int j = 0; j < given.n; ++j) {
      const std::size_t at = std::size_t(i) * given.n + j;
      C.add(reference.C[at], got.C[std::size_t(i) * given.ldc + j],
            test::tolerance(reference.magnitude[at], given.k));
    }
  return C;
}

std::vector<ladder::Compared> inputs(const test::Case&, const Problem& given) {
  ladder::Compared A{.array = "A", .columns = std::size_t(given.k)},
      B{.array = "B", .columns = std::size_t(given.n)};
  for (int i = 0; i < given.m; ++i)
    for (int q = 0; q < given.k; ++q) A.expected.push_back(given.A[std::size_t(i) * given.lda + q]);
  for (int q = 0; q < given.k; ++q)
    for (int j = 0; j < given.n; ++j) B.expected.push_back(given.B[std::size_t(q) * given.ldb + j]);
  return {A, B};
}

Check verify(const test::Case& c, const Problem& given, const Problem& got) {
  const test::Comparison found = compare(given, got);
  Check check;
  check.wrong = test::describe(found);
  if (check.wrong.empty() && std::string_view(c.group) == "accuracy" && given.m >= 96) {
    const test::Medians medians = test::median_errors(given, test::reference(given), got.C);
    constexpr double of_order = 1.1;  // a GPU's sums of doubles may be in another order than these
    if (!(medians.step <= of_order * medians.doubles))
      check.wrong = fmt::format("median error {:.2g} u |A||B|, and {:.2g} of sums of doubles", medians.step,
                                medians.doubles);
  }
  check.measure = "max |C - Cref| / (eps |A||B|)";
  check.error = found.error;
  check.bound = found.bound;
  if (c.entries == test::Entries::uniform) {  // where sums cancel it calls correct results wrong
    check.second_measure = "max |Cref - C| / (|Cref| + 1e-12), the source's; accepted there below 1e-8";
    check.second_error = found.source_measure;
  }
  return check;
}

/// Adds what the pattern of right and wrong cases says, of those that every step gets.
void advise(const Step& step, const std::vector<test::Case>& right, const test::Case& wrong,
            const Problem& given, const Problem& got, ladder::TestReport& report) {
  std::vector<test::Case> usual = right;
  std::erase_if(usual, [](const test::Case& c) { return c.extra; });
  const int ranks = wrong.ranks > 0 ? wrong.ranks : step.ranks;
  const bool blocks = step.data == ladder::Data::distributed;
  for (const auto& [heading, text] :
       test::explain(asks_of(step), {ranks, blocks}, usual, wrong, compare(given, got)))
    // That other sizes have one pass only explains nothing where the cause is known and is no matter of
    // order.
    if (report.may_be_order() || !heading.starts_with("Why ")) report.detail(heading, text);
}

Check verify_quickly(const test::Case&, const Problem& given, const Problem& got, Random& random) {
  return {.wrong = test::compare_quickly(given, got.C, random)};
}

const ladder::Suite<Problem, test::Case> suite{
    .amounts = amounts,
    .cases = cases_of,
    .sized = sized,
    .name = test::name,
    .shape = test::shape,
    .fill = [](const test::Case& c, Problem& p, Random& random) { test::fill(c, random.child(), p); },
    .verify = verify,
    .verify_quickly = verify_quickly,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"m", p.m}, {"n", p.n}, {"k", p.k}};
        },
    .model = [](const test::Case& c) { return work(test::shape(c)); },
    .operations = [](const test::Case& c) { return work(test::shape(c)).fp64; },
    .advise = advise,
    .compared = compared,
    .inputs = inputs,
    .ranks = [](const test::Case& c) { return c.ranks; },
};

}  // namespace

LADDER_JUDGE(suite)

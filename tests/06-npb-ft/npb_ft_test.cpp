#include <bit>

#include "amounts.hpp"
#include "common/judge/judge.hpp"
#include "explain.hpp"
#include "problems.hpp"
#include "reference.hpp"
#include "verify.hpp"

namespace {

using namespace npb_ft;
using ladder::Check;
using ladder::Random;
using ladder::Step;

Check verify(const test::Case&, const Problem& given, const Problem& got) {
  const test::Comparison found = test::compare(given, got);
  return {.wrong = found.wrong,
          .measure = "largest difference over eps log2(N) rms(u)",
          .error = found.error,
          .bound = test::error_bound,
          .details = found.details};
}

/// Real parts of the grid next to the reference's, as nz ny rows of nx; of grids that are looked through in
/// no time.
std::optional<ladder::Compared> compared(const test::Case&, const Problem& given, const Problem& got) {
  constexpr std::size_t max_points = std::size_t(1) << 18;
  if (!given.shows_grid || given.points() > max_points) return {};
  const test::Result& expected = test::reference(given);
  ladder::Compared u{.array = "re u", .columns = std::size_t(given.nx)};
  for (std::size_t e = 0; e < given.points(); ++e) u.add(expected.u[e].re, got.u[e].re, 1e-9 * expected.rms);
  return u;
}

/// Adds what the pattern of right and wrong cases says.
void advise(const Step&, const std::vector<test::Case>& right, const test::Case& wrong, const Problem&,
            const Problem&, ladder::TestReport& report) {
  for (const auto& [heading, text] : test::explain_case(right, wrong)) report.detail(heading, text);
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
          return std::map<std::string, int>{{"M", std::countr_zero(p.points())}};
        },
    .model = [](const test::Case& c) { return work(test::shape(c)); },
    .work = test::work,
    .small_sizes = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12},  // of 2^M points
    .advise = advise,
    .compared = compared,
    .content_repeats = [](const test::Case& c) { return c.content_repeats; },
};

}  // namespace

LADDER_JUDGE(suite)

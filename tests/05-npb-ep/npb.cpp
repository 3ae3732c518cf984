/// @file
/// NPB's standard result block, and figure 1 of work E: what EP is in the words of common/npb/benchmark.hpp.

#include "common/npb/benchmark.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/base/catch.hpp"
#include "common/judge/session/instance.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace npb_ep;
namespace npb = ladder::npb;

/// 2^M pairs with NPB's seed and NPB's batches.
npb::Run run_official(ladder::Session& session, int M, const ladder::Step*) {
  test::Case c = test::sized(M);
  c.seed = test::Seed::official;
  ladder::Instance<Problem> instance(test::shape(c));
  const ladder::Outcome outcome = session.call(instance);
  const Problem& got = instance.got();
  npb::Run run{.seconds = outcome.seconds, .kernel_seconds = npb::kernel_seconds(outcome)};
  run.wrong = test::compare(instance.given(), got).wrong;
  Count accepted = 0;
  for (int l = 0; l < bins; ++l) accepted += got.q[l];
  run.results = {fmt::format(" N = 2^{:5}", M), fmt::format(" No. Gaussian Pairs = {:>15}", accepted),
                 fmt::format(" Sums = {:25.15e} {:25.15e}", *got.sx, *got.sy), " Counts:"};
  for (int l = 0; l < bins; ++l) run.results.push_back(fmt::format(" {:3} {:15}", l, got.q[l]));
  return run;
}

npb::Benchmark benchmark() {
  npb::Benchmark ep{.name = "EP",
                    .operation_type = "Random numbers generated",
                    .warm_up = 12,
                    .largest_on_gpu = 32,
                    .largest_on_processor = 28,
                    .largest_on_executor = 16,
                    .run = run_official,
                    .work = [](int M) { return std::ldexp(1, M); },
                    .mops = [](int M, double seconds) { return std::ldexp(1, M + 1) / seconds / 1e6; },
                    .size_text = [](int M) { return std::to_string(Count(1) << (M + 1)); },
                    .iterations = [](int) { return 0; },
                    .source_rung = "g3",  // whose blocks add up first, too; the source does so for sx and sy
                    .source_note =
                        "the source, on two Xeon E5-2620 and a Titan X of 3072 cores: EP equal to the "
                        "best of the versions that it compares"};
  for (const OfficialClass& official : official_classes) ep.classes.push_back({official.name, official.size});
  return ep;
}

}  // namespace

TEST_CASE("npb") {
  npb::publish_blocks(benchmark());
}

TEST_CASE("reproduce") {
  npb::reproduce_speedups(benchmark());
}

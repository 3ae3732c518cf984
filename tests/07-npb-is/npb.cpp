/// @file
/// NPB's standard result block, and all classes: what IS is in the words of common/npb/benchmark.hpp.

#include <fmt/format.h>

#include <cmath>

#include "amounts.hpp"
#include "common/base/catch.hpp"
#include "common/judge/session/instance.hpp"
#include "common/npb/benchmark.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace npb_is;
namespace npb = ladder::npb;

constexpr int iterations = 10;

/// Ranks NPB's keys ten times, with NPB's two changes before each.
npb::Run run_official(ladder::Session& session, int size, const ladder::Step*) {
  test::Case c = test::sized(size);
  c.spread = test::Spread::official;
  ladder::Instance<Problem> instance(test::shape(c));
  ladder::Random unused(1);
  npb::Run run;
  for (c.iteration = 1; c.iteration <= iterations; ++c.iteration) {
    test::fill(c, unused, instance.given());
    const ladder::Outcome outcome = session.call(instance);
    run.seconds += outcome.seconds;
    run.kernel_seconds += npb::kernel_seconds(outcome);
    if (run.wrong.empty()) run.wrong = test::compare(c, instance.given(), instance.got()).wrong;
    run.results.push_back(fmt::format(" {:10}", c.iteration));
  }
  run.results.insert(run.results.begin(), " Iteration");
  return run;
}

npb::Benchmark benchmark() {
  npb::Benchmark is{
      .name = "IS",
      .operation_type = "keys ranked",
      .warm_up = 12,
      .largest_on_gpu = 27,
      .largest_on_processor = 25,
      .largest_on_executor = 16,
      .run = run_official,
      .work = [](int size) { return std::ldexp(1, size); },
      .mops = [](int size, double seconds) { return iterations * std::ldexp(1, size) / seconds / 1e6; },
      .size_text = [](int size) { return std::to_string(1LL << size); },
      .iterations = [](int) { return iterations; },
      .least_bytes = [](int size) { return iterations * work(test::shape(test::sized(size))).bytes; },
      .npb_gpu = {{"C", "H200", 14.5e-3}},
      .gpu_library = "cub",
      .library_label = "CUB"};
  for (const OfficialClass& official : official_classes) is.classes.push_back({official.name, official.size});
  return is;
}

}  // namespace

TEST_CASE("npb") {
  npb::publish_blocks(benchmark());
}

TEST_CASE("reproduce") {
  npb::reproduce_speedups(benchmark());
}

/// @file
/// NPB's standard result block, and figure 1 of work E: what FT is in the words of common/npb/benchmark.hpp.

#include "common/npb/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/catch.hpp"
#include "common/judge/reproduction.hpp"
#include "common/judge/session/instance.hpp"
#include "official.hpp"
#include "problems.hpp"
#include "transform_kernels.hpp"
#include "verify.hpp"

namespace {

using namespace npb_ft;
namespace npb = ladder::npb;

constexpr int smallest_class = official_classes[0].size;

Problem problem_of(int size) {
  return test::shape(test::sized(size));
}

/// The grid of 2^size points with NPB's seed.
npb::Run run_official(ladder::Session& session, int size, const ladder::Step*) {
  test::Case c = test::sized(size);
  c.seed = test::Seed::official;
  Problem shape = test::shape(c);
  // NPB verifies by its checksums; the grid of a class stays on the device.
  if (test::class_of(shape)) shape.shows_grid = false;
  ladder::Instance<Problem> instance(shape);
  const ladder::Outcome outcome = session.call(instance);
  npb::Run run{.seconds = outcome.seconds, .kernel_seconds = npb::kernel_seconds(outcome)};
  run.wrong = test::compare(instance.given(), instance.got()).wrong;
  for (int t = 1; t <= instance.given().iterations; ++t) {
    const Complex sum = instance.got().checksums[t - 1];
    run.results.push_back(fmt::format(" T = {:4}     Checksum = {:22.12e} {:22.12e}", t, sum.re, sum.im));
  }
  return run;
}

/// By NPB's formula.
double mops(int size, double seconds) {
  const Problem p = problem_of(size);
  const double N = double(p.points()), ln = std::log(N);
  return 1e-6 * N * (14.8157 + 7.19641 * ln + (5.23518 + 7.21113 * ln) * p.iterations) / seconds;
}

npb::Benchmark benchmark() {
  npb::Benchmark ft{.name = "FT",
                    .operation_type = "floating point",
                    .warm_up = 9,
                    .largest_on_gpu = 27,
                    .largest_on_processor = 23,
                    .largest_on_executor = 18,
                    .run = run_official,
                    .work = test::work,
                    .mops = mops,
                    .size_text =
                        [](int size) {
                          const Problem p = problem_of(size);
                          return fmt::format("{}x{}x{}", p.nx, p.ny, p.nz);
                        },
                    .iterations = [](int size) { return problem_of(size).iterations; },
                    .source_rung = "g4",
                    .source_note =
                        "the source, on two Xeon E5-2620 and a Titan X of 3072 cores: FT over twice as "
                        "fast as the best of the versions that it compares",
                    .gpu_library = "cufft",
                    .library_label = "cuFFT"};
  for (const OfficialClass& official : official_classes) ft.classes.push_back({official.name, official.size});
  return ft;
}

}  // namespace

TEST_CASE("npb") {
  npb::publish_blocks(benchmark());
}

TEST_CASE("reproduce") {
  npb::reproduce_speedups(benchmark());
  const int largest = ladder::plan().size > 0 ? ladder::plan().size : smallest_class;
  ladder::reproduction::reproduce(ladder::plan().lesson, test::title_of_causes, [&] {
    if (ladder::reproduction::wanted(test::title_of_causes))
      ladder::reproduction::publish(test::causes(std::min(largest, smallest_class)));
  });
}

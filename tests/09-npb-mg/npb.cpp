/// @file
/// NPB's standard result block: what MG is in the words of common/npb/benchmark.hpp.

#include <fmt/format.h>

#include <algorithm>

#include "common/base/catch.hpp"
#include "common/judge/session/instance.hpp"
#include "common/npb/benchmark.hpp"
#include "problems.hpp"
#include "reference.hpp"

namespace {

using namespace npb_mg;
namespace npb = ladder::npb;

/// NPB's iterations of a class; of another size, those of the smallest.
int iterations_of(int size) {
  const OfficialClass* official = test::class_of(size);
  return official != nullptr ? official->iterations : official_classes[0].iterations;
}

double points(int size) {
  const Grid g = test::sized(size).grid;
  return double(g.nx) * g.ny * g.nz;
}

/// Each call continues where the one before ended.
npb::Run run_official(ladder::Session& session, int size) {
  test::Case c = test::sized(size);
  c.iteration = 1;
  ladder::Instance<Problem> instance(test::shape(c));
  ladder::Random random(1);
  test::fill(c, random, instance.given());
  const std::size_t elements = c.grid.elements();
  npb::Run run{.results = {"   iteration           ||r||"}};
  double norm = 0;
  for (int iteration = 1; iteration <= iterations_of(size); ++iteration) {
    const ladder::Outcome outcome = session.call(instance);
    run.seconds += outcome.seconds;
    run.kernel_seconds += npb::kernel_seconds(outcome);
    const Problem &given = instance.given(), &got = instance.got();
    norm = test::norm_of(c.grid, got.r);
    run.results.push_back(fmt::format(" {:8}   {:20.14e}", iteration, norm));
    std::copy_n(got.u, elements, given.u);
    std::copy_n(got.r, elements, given.r);
  }
  run.results.push_back(fmt::format(" L2 Norm is  {:20.13e}", norm));
  if (const OfficialClass* official = test::class_of(size)) {
    run.results.push_back(
        fmt::format(" Error is    {:20.13e}", std::abs(norm - official->norm) / official->norm));
    run.wrong = test::wrong_norm(*official, norm);
  }
  return run;
}

npb::Benchmark benchmark() {
  npb::Benchmark mg{
      .name = "MG",
      .operation_type = "floating point",
      .warm_up = 8,
      .largest_on_gpu = 512,
      .largest_on_processor = 256,
      .largest_on_executor = 16,
      .run = run_official,
      .work = [](int size) { return iterations_of(size) * points(size); },
      .mops = [](int size, double seconds) { return 58e-6 * iterations_of(size) * points(size) / seconds; },
      .size_text =
          [](int size) {
            const int n = test::sized(size).grid.nx;
            return fmt::format("{}x{}x{}", n, n, n);
          },
      .iterations = iterations_of};
  for (const OfficialClass& official : official_classes) mg.classes.push_back({official.name, official.size});
  return mg;
}

}  // namespace

TEST_CASE("npb") {
  npb::publish_blocks(benchmark());
}

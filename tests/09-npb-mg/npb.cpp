/// @file
/// NPB's standard result block, and all classes: what MG is in the words of common/npb/benchmark.hpp.

#include <fmt/format.h>

#include "amounts.hpp"
#include "common/base/catch.hpp"
#include "common/base/parallel.hpp"
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

/// Each call continues where the one before ended. A rung that begins with the residual leaves none: that of
/// the last u is then found here, after the time.
npb::Run run_official(ladder::Session& session, int size, const ladder::Step* row) {
  test::Case c = test::sized(size);
  c.iteration = 1;
  c.residual_first = row && row->asks.contains("residual_first");
  ladder::Instance<Problem> instance(test::shape(c));
  ladder::Random random(1);
  test::fill(c, random, instance.given());
  const std::size_t elements = c.grid.elements();
  npb::Run run;
  if (!c.residual_first) run.results.push_back("   iteration           ||r||");
  double norm = 0;
  for (int iteration = 1; iteration <= iterations_of(size); ++iteration) {
    const ladder::Outcome outcome = session.call(instance);
    run.seconds += outcome.seconds;
    run.kernel_seconds += npb::kernel_seconds(outcome);
    const Problem &given = instance.given(), &got = instance.got();
    ladder::copy_in_parts(got.u, elements, given.u);
    if (c.residual_first) continue;
    norm = test::norm_of(c.grid, got.r);
    run.results.push_back(fmt::format(" {:8}   {:20.14e}", iteration, norm));
    ladder::copy_in_parts(got.r, elements, given.r);
  }
  if (c.residual_first)
    norm = test::norm_of(c.grid, test::residual(instance.given(), instance.given().u).data());
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
      .in_powers_of_two = false,
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
      .iterations = iterations_of,
      .least_bytes =
          [](int size) { return iterations_of(size) * work(test::shape(test::sized(size))).bytes; },
      .npb_gpu = {{"C", "H200", 139.5e-3}}};
  for (const OfficialClass& official : official_classes) mg.classes.push_back({official.name, official.size});
  return mg;
}

}  // namespace

TEST_CASE("npb") {
  npb::publish_blocks(benchmark());
}

TEST_CASE("reproduce") {
  npb::reproduce_speedups(benchmark());
}

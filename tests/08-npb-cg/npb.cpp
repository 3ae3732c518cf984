/// @file
/// NPB's standard result block, and all classes: what CG is in the words of common/npb/benchmark.hpp.

#include <fmt/format.h>

#include <algorithm>

#include "amounts.hpp"
#include "common/base/catch.hpp"
#include "common/judge/session/instance.hpp"
#include "common/npb/benchmark.hpp"
#include "problems.hpp"
#include "reference.hpp"

namespace {

using namespace npb_cg;
namespace npb = ladder::npb;

/// NPB's iterations of a class; of another size, those of the class that its matrix is like.
int iterations_of(int n) {
  const OfficialClass* official = test::class_of(n);
  return official != nullptr ? official->iterations : official_classes[0].iterations;
}

/// Each call gets what the one before found, at length 1.
npb::Run run_official(ladder::Session& session, int n, const ladder::Step*) {
  const test::Case c = test::sized(n);
  const OfficialClass* official = test::class_of(n);
  ladder::Instance<Problem> instance(test::shape(c));
  ladder::Random random(1);
  test::fill(c, random, instance.given());
  double* x = const_cast<double*>(instance.given().x);
  std::fill(x, x + n, 1.0);
  npb::Run run{.results = {"   iteration           ||r||                 zeta"}};
  double zeta = 0;
  for (int iteration = 1; iteration <= iterations_of(n); ++iteration) {
    const ladder::Outcome outcome = session.call(instance);
    run.seconds += outcome.seconds;
    run.kernel_seconds += npb::kernel_seconds(outcome);
    const Problem& got = instance.got();
    zeta = test::zeta_of(instance.given(), official != nullptr ? official->shift : 0, got.z);
    run.results.push_back(fmt::format(" {:8}   {:20.14e}   {:20.13f}", iteration, *got.norm, zeta));
    const std::vector<double> next = test::normalised(n, got.z);
    std::copy(next.begin(), next.end(), x);
  }
  run.results.push_back(fmt::format(" Zeta is     {:20.13e}", zeta));
  if (official != nullptr) {
    run.results.push_back(
        fmt::format(" Error is    {:20.13e}", std::abs(zeta - official->zeta) / official->zeta));
    run.wrong = test::wrong_zeta(*official, zeta);
  }
  return run;
}

/// NPB's formula, which takes every row to have (nonzer + 1) nonzer entries.
double mops(int n, double seconds) {
  const double nonzer = test::nonzer_of(n), row = nonzer * (nonzer + 1);
  return 2.0 * iterations_of(n) * n * (3 + row + 25 * (5 + row) + 3) / seconds / 1e6;
}

npb::Benchmark benchmark() {
  npb::Benchmark cg{
      .name = "CG",
      .operation_type = "floating point",
      .in_powers_of_two = false,
      .warm_up = 256,
      .largest_on_gpu = 150'000,
      .largest_on_processor = 14'000,
      .largest_on_executor = 256,
      .run = run_official,
      .work =
          [](int n) {
            const double nonzer = test::nonzer_of(n);
            return iterations_of(n) * n * nonzer * nonzer;
          },
      .mops = mops,
      .size_text = [](int n) { return std::to_string(n); },
      .iterations = iterations_of,
      .least_bytes = [](int n) { return iterations_of(n) * work(test::shape(test::sized(n))).bytes; },
      .npb_gpu = {{"C", "H200", 661e-3}},
      .gpu_library = "cusparse",
      .library_label = "cuSPARSE"};
  for (const OfficialClass& official : official_classes) cg.classes.push_back({official.name, official.size});
  return cg;
}

}  // namespace

TEST_CASE("npb") {
  npb::publish_blocks(benchmark());
}

TEST_CASE("reproduce") {
  npb::reproduce_speedups(benchmark());
}

/// @file
/// NPB's standard result block for each step, for people who know the benchmark.

#include <fmt/format.h>

#include <algorithm>

#include "common/judge/each_step.hpp"
#include "common/judge/reproduction.hpp"
#include "timing.hpp"

namespace {

using namespace npb_ft;
using ladder::PlannedStep;
using ladder::Sheet;
using ladder::Step;
using ladder::Verdict;
using nlohmann::json;

constexpr int smallest_class = 18;
constexpr int runs = 3;  // the best counts, after one to warm up

json block_of(const std::string& step, const std::string& device, int M, const test::Timed& best) {
  json lines;
  const auto line = [&](const char* name, const std::string& value) {
    lines.push_back(fmt::format(" {:<16}= {:>24}", name, value));
  };
  const Problem& p = best.problem;
  lines.push_back(" FT Benchmark Results:");
  for (int t = 1; t <= p.iterations; ++t) {
    const Complex sum = best.checksums[t - 1];
    lines.push_back(fmt::format(" T = {:4}     Checksum = {:22.12e} {:22.12e}", t, sum.re, sum.im));
  }
  lines.push_back("");
  lines.push_back(" FT Benchmark Completed.");
  line("Class", test::class_name(M));
  line("Size", fmt::format("{}x{}x{}", p.nx, p.ny, p.nz));
  line("Iterations", std::to_string(p.iterations));
  line("Time in seconds", fmt::format("{:.6f}", best.seconds));
  line("Mop/s total", fmt::format("{:.2f}", test::mops(p, best.seconds)));
  line("Operation type", "floating point");
  line("Verification", best.wrong.empty() ? "SUCCESSFUL" : "UNSUCCESSFUL");
  if (best.kernel_seconds > 0) {
    line("Kernels only", fmt::format("{:.6f}", best.kernel_seconds));
    line("Mop/s, kernels", fmt::format("{:.2f}", test::mops(p, best.kernel_seconds)));
  }
  line("Step", step);
  line("Device", device);
  json record = ladder::reproduction::record(lesson.name, "NPB FT, " + step, {});
  record["block"] = lines;
  return record;
}

void run_class(const PlannedStep& step, Sheet& sheet) {
  const int M = ladder::plan().size > 0 ? ladder::plan().size : smallest_class;
  ladder::Session session(test::timed_launch(step));
  test::run_official(session, std::min(M, 12));  // makes contexts, and is not counted
  test::Timed best;
  for (int run = 0; run < runs; ++run) {
    sheet.progress("class " + test::class_name(M), run, runs);
    const test::Timed now = test::run_official(session, M);
    if (run == 0 || now.seconds < best.seconds || !now.wrong.empty()) best = now;
    if (!now.wrong.empty()) break;
  }
  ladder::reproduction::publish(block_of(step.step, session.device(), M, best));
  if (!best.wrong.empty()) sheet.set(Verdict::wrong, best.wrong);
}

}  // namespace

TEST_CASE("npb") {
  ladder::detail::for_each_step(
      lesson, "npb", [](const PlannedStep& step, const Step&, Sheet& sheet) { run_class(step, sheet); });
}

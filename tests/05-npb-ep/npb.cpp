/// @file
/// NPB's standard result block for each step, for people who know the benchmark.

#include <fmt/format.h>

#include <algorithm>

#include "common/judge/each_step.hpp"
#include "common/judge/reproduction.hpp"
#include "timing.hpp"

namespace {

using namespace npb_ep;
using ladder::PlannedStep;
using ladder::Sheet;
using ladder::Step;
using ladder::Verdict;
using nlohmann::json;

constexpr int smallest_class = 24;
constexpr int runs = 3;  // the best counts, after one to warm up

json block_of(const std::string& step, const std::string& device, int M, const test::Timed& best) {
  Count accepted = 0;
  for (const Count count : best.q) accepted += count;
  json lines;
  const auto line = [&](const char* name, const std::string& value) {
    lines.push_back(fmt::format(" {:<16}= {:>24}", name, value));
  };
  lines.push_back(" EP Benchmark Results:");
  lines.push_back(fmt::format(" N = 2^{:5}", M));
  lines.push_back(fmt::format(" No. Gaussian Pairs = {:>15}", accepted));
  lines.push_back(fmt::format(" Sums = {:25.15e} {:25.15e}", best.sx, best.sy));
  lines.push_back(" Counts:");
  for (int l = 0; l < bins; ++l) lines.push_back(fmt::format(" {:3} {:15}", l, best.q[l]));
  lines.push_back("");
  lines.push_back(" EP Benchmark Completed.");
  line("Class", test::class_name(M));
  line("Size", std::to_string(Count(1) << (M + 1)));
  line("Iterations", "0");
  line("Time in seconds", fmt::format("{:.6f}", best.seconds));
  line("Mop/s total", fmt::format("{:.2f}", test::mops(M, best.seconds)));
  line("Operation type", "Random numbers generated");
  line("Verification", best.wrong.empty() ? "SUCCESSFUL" : "UNSUCCESSFUL");
  if (best.kernel_seconds > 0) {
    line("Kernel only", fmt::format("{:.6f}", best.kernel_seconds));
    line("Mop/s, kernel", fmt::format("{:.2f}", test::mops(M, best.kernel_seconds)));
  }
  line("Step", step);
  line("Device", device);
  json record = ladder::reproduction::record(lesson.name, "NPB EP, " + step, {});
  record["block"] = lines;
  return record;
}

void run_class(const PlannedStep& step, Sheet& sheet) {
  const int M = ladder::plan().size > 0 ? ladder::plan().size : smallest_class;
  ladder::Session session(test::timed_launch(step));
  test::run_official(session, std::min(M, 16));  // makes contexts, and is not counted
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

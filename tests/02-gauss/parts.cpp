#include "parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/judge/plan.hpp"
#include "common/judge/reproduction.hpp"
#include "verify.hpp"

namespace gauss::test {
namespace {

using ladder::Instance;
using ladder::Session;
using nlohmann::json;
namespace reproduction = ladder::reproduction;

constexpr int max_n = 2048, counted_runs = 3;

/// Seconds of the kernels of a call.
struct Parts {
  double elimination = 0, substitution = 0;
};

/// The rungs whose substitution differs: from the first with a chosen grid to the first that substitutes in
/// parallel.
bool is_shown(const std::string& step) {
  for (const char* idea : {"grid_stride", "launch_configuration", "occupancy", "row_tiles",
                           "serial_substitution", "parallel_substitution"})
    if (step.find(idea) != std::string::npos) return true;
  return false;
}

Parts parts_of(const ladder::Outcome& outcome) {
  Parts parts;
  if (!outcome.trace) return parts;
  for (const auto& event : outcome.trace->events) {
    if (event.kind != LADDER_KERNEL || event.end <= event.begin) continue;
    double& part =
        event.name.find("substitute") == std::string::npos ? parts.elimination : parts.substitution;
    part += 1e-9 * double(event.end - event.begin);
  }
  return parts;
}

Parts measured(const ladder::PlannedStep& step, int n) {
  const Case c{"general", n};
  Instance<Problem> instance(shape(c));
  ladder::Random random(ladder::plan().seed + static_cast<std::uint64_t>(n));
  fill(c, random, instance.given());
  Parts best;
  const auto call = [&](Session& session) {
    const ladder::Outcome outcome = session.call(instance);
    const std::string wrong = compare_quickly(instance.given(), instance.got());
    if (!wrong.empty())
      throw ladder::Failure{ladder::Verdict::wrong, fmt::format("n = {}: {}", n, wrong), {}};
    const Parts now = parts_of(outcome);
    const double sum = now.elimination + now.substitution;
    if (sum > 0 && (best.elimination == 0 || sum < best.elimination + best.substitution)) best = now;
    return outcome.seconds;
  };
  reproduction::Runner runner(ladder::launch_of(step, ladder::Data::resident, true), call);
  runner.measure(
      {.runs = counted_runs, .budget = ladder::plan().cell_seconds, .work = std::pow(double(n), 3)}, call);
  return best;
}

}  // namespace

void publish_parts() {
  const int n = ladder::plan().size > 0 ? std::min(max_n, ladder::plan().size) : max_n;
  json record =
      reproduction::record(ladder::plan().lesson, "Elimination and back substitution, kernel by kernel",
                           {"rung", "elimination, ms", "substitution, ms", "share of the substitution"});
  json bars = json::array();
  std::string most;
  double largest = 0;
  for (const ladder::PlannedStep& step : ladder::plan().steps) {
    if (!step.skip.empty() || step.backend != "cuda" || !is_shown(step.step) ||
        ladder::plan().recorder_of(step.backend).empty())
      continue;
    reproduction::progress(step, fmt::format("{}: kernels at n = {}", step.step, n), 0.9);
    const Parts parts = measured(step, n);
    const double sum = parts.elimination + parts.substitution;
    if (sum <= 0) continue;
    const std::string id = step.step.substr(0, step.step.find('_'));
    const double share = parts.substitution / sum;
    if (share > largest) largest = share, most = id;
    record["rows"].push_back({id, reproduction::number_text(1e3 * parts.elimination),
                              reproduction::number_text(1e3 * parts.substitution),
                              fmt::format("{:.0f} %", 100 * share)});
    bars.push_back({{"label", id}, {"seconds", {parts.elimination, parts.substitution}}});
  }
  if (bars.empty()) return;
  const std::string title =
      fmt::format("{}: {:.0f} % of the device time is back substitution", most, 100 * largest);
  record["notes"].push_back(
      fmt::format("n = {}; the fastest of {} runs; what the host does does not count", n, counted_runs));
  record["figures"] = json::array(
      {{{"kind", "stacked"},
        {"name", "parts"},
        {"title", title},
        {"alternative",
         title + ". Device time of elimination and substitution for each rung; the table has the numbers."},
        {"parts", {"elimination", "substitution"}},
        {"bars", bars}}});
  reproduction::publish(record);
}

}  // namespace gauss::test

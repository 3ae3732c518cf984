#include "transform_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "common/base/text/numbers.hpp"
#include "common/judge/reproduction.hpp"
#include "common/judge/session/session.hpp"
#include "common/trace/metrics.hpp"
#include "problems.hpp"

namespace npb_ft::test {
namespace {

namespace reproduction = ladder::reproduction;
using ladder::PlannedStep;
using ladder::Trace;

/// The kernels that transform.
struct Launches {
  std::set<std::string> kernels;
  int count = 0;
  double fewest = 0, most = 0;  ///< threads of a launch
};

double threads_of(const Trace::Event& event) {
  double threads = 1;
  for (int i = 0; i < 3; ++i) threads *= double(event.grid[i]) * event.block[i];
  return threads;
}

Launches launches_of(const Trace& trace) {
  Launches found;
  for (const Trace::Event& event : trace.events)
    for (const char* kernel : {"fft_lines", "copy_planes"}) {
      if (event.kind != LADDER_KERNEL || event.name.find(kernel) == std::string::npos) continue;
      const double threads = threads_of(event);
      found.fewest = found.count == 0 ? threads : std::min(found.fewest, threads);
      found.most = std::max(found.most, threads);
      found.kernels.insert(kernel);
      ++found.count;
    }
  return found;
}

Trace traced(const PlannedStep& step, int M) {
  ladder::Session session(ladder::launch_of(step, ladder::Data::resident, true));
  Case c = sized(M);
  c.seed = Seed::official;
  ladder::Instance<Problem> instance(shape(c));
  return session.call(instance).trace.value_or(Trace{});
}

}  // namespace

nlohmann::json causes(int M) {
  const Problem p = shape(sized(M));
  nlohmann::json record = reproduction::record(ladder::plan().lesson, title_of_causes,
                                               {"program", "kernels of a transform", "launches a transform",
                                                "fewest threads", "most threads", "longest path, share"});
  for (const PlannedStep& step : ladder::plan().steps) {
    if (!step.skip.empty() || step.track() != 'g') continue;
    const Trace trace = traced(step, M);
    const Launches found = launches_of(trace);
    if (found.count == 0) continue;
    std::string kernels;
    for (const std::string& one : found.kernels) kernels += (kernels.empty() ? "" : ", ") + one;
    record["rows"].push_back({step.step, kernels, fmt::format("{}", found.count / (1 + p.iterations)),
                              ladder::grouped(found.fewest), ladder::grouped(found.most),
                              fmt::format("{:.3f}", ladder::metrics::chain(trace))});
  }
  record["notes"].push_back(fmt::format("the grid of 2^{} points, {} times", M, p.iterations));
  record["notes"].push_back(
      "threads of a launch: a copy has one per point, the stages of g1 to g5 one per line, g6 one for two "
      "points, "
      "g7 and those above it one for eight");
  record["notes"].push_back(
      "longest path: by stated costs, over the sum of all; only g4's setup has streams");
  record["figures"] = nlohmann::json::array();
  return record;
}

}  // namespace npb_ft::test

#include "common/judge/findings/redundant_work.hpp"

#include <fmt/format.h>

#include <string>

#include "common/base/observation/launch_sum.hpp"
#include "common/base/text/numbers.hpp"
#include "common/judge/findings/source_text.hpp"

namespace ladder {
namespace {

/// "16 x 16", without trailing ones.
std::string extent_text(const std::array<std::uint32_t, 3>& extent) {
  std::string text = std::to_string(extent[0]);
  const int last = extent[2] > 1 ? 2 : extent[1] > 1 ? 1 : 0;
  for (std::size_t i = 1; i <= static_cast<std::size_t>(last); ++i) text += " x " + std::to_string(extent[i]);
  return text;
}

double accesses_of(const LaunchCounters& launch) {
  double lanes = 0;
  for (const LineCounters& line : launch.lines) lanes += static_cast<double>(line.lanes);
  return lanes;
}

/// How often a block stores one element of shared memory between two barriers, on average.
double stores_of_an_element(const LineCounters& line) {
  if (line.space != "shared" || line.operation != "store" || line.intervals == 0 || line.object_bytes == 0)
    return 0;
  return static_cast<double>(line.lanes) * line.size /
         (static_cast<double>(line.intervals) * static_cast<double>(line.object_bytes));
}

}  // namespace

bool explain_idle_blocks(const Observation& observation, std::string_view kernel, TestReport& report) {
  constexpr double most = 0.5;  // of the accesses: below it the kernel has other costs, too
  const LaunchCounters* worst = nullptr;
  double in_vain = 0, all = 0;
  for (const LaunchCounters& launch : observation.launches) {
    if (launch.kernel.find(kernel) == std::string::npos) continue;
    const double idle = counter_of(launch, "idle_accesses");
    all += accesses_of(launch);
    in_vain += idle;
    if (idle > 0 && (!worst || idle > counter_of(*worst, "idle_accesses"))) worst = &launch;
  }
  if (!worst || in_vain < most * all) return false;
  const auto observed = static_cast<double>(worst->observed_blocks);
  const double idle = counter_of(*worst, "idle_blocks");
  const bool part = worst->observed_blocks < worst->all_blocks();
  report.detail("What happened",
                fmt::format("{} of {} {}blocks store nothing, and {:.0f} % of all accesses are theirs. The "
                            "grid is {} blocks of {} threads, and {} of them {} all results.",
                            grouped(idle), grouped(observed), part ? "observed " : "", 100 * in_vain / all,
                            extent_text(worst->grid), extent_text(worst->block), grouped(observed - idle),
                            observed - idle == 1 ? "stores" : "store"));
  report.detail("Think",
                "How many elements of the result does one block compute, and how many blocks are needed for "
                "all of them?");
  return true;
}

bool explain_repeated_stores(const std::vector<LineCounters>& lines, const PlannedStep& step,
                             TestReport& report) {
  constexpr double often = 2;    // stores of one element
  constexpr double much = 0.25;  // of all wavefronts
  double wavefronts = 0, in_vain = 0;
  std::vector<const LineCounters*> repeated;
  for (const LineCounters& line : lines) {
    wavefronts += static_cast<double>(line.wavefronts);
    const double times = stores_of_an_element(line);
    if (times < often) continue;
    in_vain += static_cast<double>(line.wavefronts) * (1 - 1 / times);
    repeated.push_back(&line);
  }
  if (repeated.empty() || in_vain < much * wavefronts) return false;
  for (const LineCounters* line : repeated) {
    const std::string array = line->worst && !line->worst->object.empty() ? " of " + line->worst->object : "";
    report.detail(line_name(line->site, step),
                  fmt::format("{}  each element{} is stored {:.2g} times between two barriers",
                              line_text(line->site, step), array, stores_of_an_element(*line)));
  }
  report.detail("Think",
                "All threads of the block share these stores. How far apart are the elements of one thread?");
  return true;
}

}  // namespace ladder

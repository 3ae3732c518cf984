#include "common/judge/time_rules.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "common/judge/clock.hpp"
#include "common/judge/points.hpp"
#include "common/judge/process_tree.hpp"
#include "common/judge/random.hpp"

namespace ladder {
namespace {

constexpr int fewest_rounds = 5;

/// All that a plan compares a step with, by the name that tables use.
std::string role_of(const Peer& peer) {
  return peer.name == "baseline" ? "baseline" : "library";
}

/// How many rounds: the plan's number when points depend on it, else what fits the time for a cell.
int rounds_for(double round_seconds, const Step& row) {
  if (row.time.ratio > 0) return plan().pairs;
  const double fitting = plan().cell_seconds / std::max(round_seconds, 1e-6);
  return std::clamp(static_cast<int>(fitting), fewest_rounds, plan().pairs);
}

std::vector<std::size_t> shuffled(std::size_t contenders, Random& random) {
  std::vector<std::size_t> order(contenders);
  std::iota(order.begin(), order.end(), 0);
  order.push_back(0);  // the step runs twice: once against itself
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[static_cast<std::size_t>(random.below(static_cast<int>(i + 1)))]);
  return order;
}

}  // namespace

std::vector<Contender> contenders_of(const PlannedStep& step, const Step& row) {
  std::vector<Contender> contenders;
  contenders.push_back({"step", std::make_unique<Session>(launch_of(step, row.data))});
  for (const Peer& peer : plan().peers) {
    const bool on_device = peer.backend == "executor" || peer.backend == "cuda";
    if (on_device && peer.backend != step.backend) continue;  // another machine's library
    if (peer.name != "baseline" && on_device != (step.backend == "executor" || step.backend == "cuda"))
      continue;
    contenders.push_back({role_of(peer), std::make_unique<Session>(launch_of(peer, row.data))});
  }
  if (!step.below.empty()) {
    PlannedStep below = step;
    below.worker = step.below;
    below.source_hash.clear();
    try {
      contenders.push_back({"below", std::make_unique<Session>(launch_of(below, row.data))});
    } catch (const Failure&) {
      // It is the student's own and only shown: a broken one takes nothing from this step.
    }
  }
  return contenders;
}

int time_size(const PlannedStep& step, const Step& row) {
  if (plan().size > 0) return plan().size;
  return runs_on_gpu(step) && row.time.device_size > 0 ? row.time.device_size : row.time.size;
}

double warm_up(std::vector<Contender>& contenders, const std::function<double(std::size_t)>& call) {
  double round_seconds = 0;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    try {
      call(i);
      const Stopwatch watch;
      call(i);
      round_seconds += watch.seconds() * (i == 0 ? 2 : 1);
    } catch (const Failure& failure) {
      if (contenders[i].name != "below") throw;
      contenders.erase(contenders.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }
  return round_seconds;
}

bool fits_time(double round_seconds, const Step& row) {
  return round_seconds * (row.time.ratio > 0 ? plan().pairs : fewest_rounds) <= plan().cell_seconds;
}

bool fits_memory(std::size_t array_bytes, std::size_t contenders) {
  // A problem is there twice, as it was given and as it is worked on; half of the memory is for others.
  const double memory = double(::sysconf(_SC_AVPHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE)) / 2;
  return 2.0 * double(array_bytes) * double(contenders) <= memory;
}

TimeResult measure_times(std::vector<Contender>& contenders, const Step& row,
                         const std::function<double(std::size_t)>& call, Sheet& sheet) {
  const int rounds = rounds_for(warm_up(contenders, call), row);
  std::vector<std::vector<double>> seconds(contenders.size());
  std::vector<double> against_itself;
  std::map<std::string, std::vector<double>> ratios;
  Random random(plan().seed);
  const LoadWatch load;
  for (int round = 0; round < rounds; ++round) {
    sheet.progress("timing", round, rounds);
    std::vector<std::vector<double>> now(contenders.size());
    for (const std::size_t i : shuffled(contenders.size(), random)) now[i].push_back(call(i));
    const double step = now[0][0];
    against_itself.push_back(now[0][1] / step);
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      seconds[i].push_back(now[i][0]);
      if (i > 0) ratios[contenders[i].name].push_back(now[i][0] / step);
    }
  }
  TimeResult result;
  result.seconds = median_interval(seconds[0]);
  result.noise = median_interval(against_itself);
  result.foreign_load = load.foreign_share();
  for (const auto& [name, values] : ratios) result.ratio[name] = median_interval(values);
  return result;
}

void judge_time_bound(const TimeResult& result, const Step& row, Sheet& sheet) {
  if (row.time.ratio <= 0) return;
  const auto found = result.ratio.find(row.time.peer);
  if (found == result.ratio.end()) {
    sheet.set(Verdict::skipped,
              std::string("time: no ") + row.time.peer + " on this machine to compare with");
    return;
  }
  const Interval& ratio = found->second;
  const std::string said =
      fmt::format("time: {:.3g} of the {} (bound {:g}), interval {:.3g} to {:.3g} over {} pairs",
                  ratio.median, row.time.peer, row.time.ratio, ratio.low, ratio.high, ratio.count);
  const Decision decision = decide(ratio, row.time.ratio, result.noise, result.foreign_load);
  double points = points_for(ratio.median, ">=", row.time.ratio, row.time_points);
  if (decision == Decision::open) {
    points = points_for(ratio.high, ">=", row.time.ratio, row.time_points);  // the favourable end
    sheet.set(Verdict::inconclusive,
              said + fmt::format("; open, since this machine differs from itself by {:.0f} % and other "
                                 "programs used {:.0f} % of it",
                                 100 * std::max(result.noise.high - 1, 1 - result.noise.low),
                                 100 * result.foreign_load));
    sheet.detail("Meaning",
                 "Neither met nor missed; no fault of yours. Points are those of the favourable end.");
  } else {
    sheet.set(decision == Decision::met ? Verdict::pass : Verdict::missed, said);
  }
  sheet.points(points, row.time_points);
}

}  // namespace ladder

#include "common/judge/time_rules.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "common/judge/clock.hpp"
#include "common/judge/points.hpp"
#include "common/judge/process_tree.hpp"
#include "common/judge/random.hpp"

namespace ladder {
namespace {

constexpr int fewest_rounds = 5;

/// Whether a library races the step: one of the step's own device. An OpenCL step on an NVIDIA GPU races a library of CUDA,
/// for there is none of OpenCL; where there is no such peer, one of the CPU.
bool races(const Peer& library, const PlannedStep& step) {
  const bool cuda = step.backend == "executor" || step.backend == "cuda";
  if (cuda) return library.backend == step.backend;
  const auto of_cuda = [](const Peer& one) { return one.backend == "cuda"; };
  const bool on_gpu = step.backend == "opencl" && runs_on_gpu(step) &&
                      std::any_of(plan().peers.begin(), plan().peers.end(), of_cuda);
  return library.backend == (on_gpu ? "cuda" : "cpu");
}

/// "the baseline", "cuBLAS"
std::string spoken(const std::string& contender) {
  return contender == "baseline" || contender == "step" ? "the " + contender
         : contender == "below"                         ? "the step below"
                                                        : contender;
}

/// Whether the row's bound is about it. The step's own calls count in any case.
bool decides(const Contender& one, const Step& row) {
  return one.name == "step" || (row.time.ratio > 0 && one.name == row.time.peer);
}

int fitting_rounds(double round_seconds) {
  const double fitting = plan().cell_seconds / std::max(round_seconds, 1e-6);
  return static_cast<int>(std::clamp(fitting, double(fewest_rounds), double(plan().pairs)));
}

/// How many rounds each contender takes part in when calls take so many times as long: the plan's number where points depend on
/// it, else what fits the time for a cell.
std::vector<int> rounds_of(const std::vector<Contender>& contenders, const Step& row, double longer = 1) {
  double round_seconds = contenders[0].call_seconds;  // the step runs twice
  for (const Contender& one : contenders) round_seconds += one.call_seconds;
  std::vector<int> rounds(contenders.size(), fitting_rounds(longer * round_seconds));
  if (row.time.ratio > 0)
    for (std::size_t i = 0; i < rounds.size(); ++i)
      rounds[i] =
          decides(contenders[i], row) ? plan().pairs : fitting_rounds(longer * contenders[i].call_seconds);
  return rounds;
}

std::vector<double> values_of(const std::vector<Outcome>& calls, double Outcome::*value) {
  std::vector<double> values;
  for (const Outcome& one : calls) values.push_back(one.*value);
  return values;
}

/// The median; 0 where the worker said nonsense.
double part_of(const std::vector<Outcome>& calls, double Parts::*part) {
  std::vector<double> values;
  for (const Outcome& one : calls)
    if (std::isfinite(one.parts.*part)) values.push_back(one.parts.*part);
  return median(values);
}

std::vector<std::size_t> shuffled(std::vector<std::size_t> order, Random& random) {
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[static_cast<std::size_t>(random.below(static_cast<int>(i + 1)))]);
  return order;
}

}  // namespace

std::vector<Contender> contenders_of(const PlannedStep& step, const Step& row) {
  std::vector<Contender> contenders;
  const auto add = [&](const std::string& name, Launch launch) {
    launch.timed = true;
    contenders.push_back({name, std::make_unique<Session>(launch)});
  };
  add("step", launch_of(step, row.data));
  for (const Peer& peer : plan().peers) {
    if (peer.name != "baseline" && !races(peer, step)) continue;
    add(peer.label, launch_of(peer, row.data));
  }
  if (!step.below.empty()) {
    PlannedStep below = step;
    below.worker = step.below;
    below.source_hash.clear();
    try {
      add("below", launch_of(below, row.data));
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

void warm_up(std::vector<Contender>& contenders, const CallOf& call, Sheet& sheet) {
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    Contender& one = contenders[i];
    try {
      call(i);
      const Stopwatch watch;
      call(i);
      one.call_seconds = watch.seconds();
    } catch (const Failure& failure) {
      const bool too_long = failure.verdict == Verdict::timeout;
      if (i == 0 || (one.name != "below" && !too_long)) throw;
      if (too_long) sheet.detail("Not compared", spoken(one.name) + " " + failure.message);
      contenders.erase(contenders.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }
}

bool fits_time(const std::vector<Contender>& contenders, const Step& row, double longer) {
  const std::vector<int> rounds = rounds_of(contenders, row, longer);
  double seconds = rounds[0] * contenders[0].call_seconds;
  for (std::size_t i = 0; i < rounds.size(); ++i) seconds += rounds[i] * contenders[i].call_seconds;
  return longer * seconds <= plan().cell_seconds;
}

bool fits_memory(std::size_t array_bytes, std::size_t contenders) {
  // A problem is there twice, as it was given and as it is worked on; half of the memory is for others.
  const double memory = double(::sysconf(_SC_AVPHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE)) / 2;
  return 2.0 * double(array_bytes) * double(contenders) <= memory;
}

TimeResult measure_times(std::vector<Contender>& contenders, const Step& row, const CallOf& call,
                         Sheet& sheet) {
  warm_up(contenders, call, sheet);
  const std::vector<int> rounds = rounds_of(contenders, row);
  std::vector<std::vector<Outcome>> calls(contenders.size());
  std::vector<double> against_itself;
  std::map<std::string, std::vector<double>> ratios;
  Random random(plan().seed);
  const LoadWatch load;
  for (int round = 0; round < rounds[0]; ++round) {
    sheet.progress("timing", round, rounds[0]);
    std::vector<std::size_t> taking_part{0};  // the step runs twice: once against itself
    for (std::size_t i = 0; i < contenders.size(); ++i)
      if (round < rounds[i]) taking_part.push_back(i);
    std::vector<std::vector<double>> now(contenders.size());
    for (const std::size_t i : shuffled(taking_part, random)) {
      calls[i].push_back(call(i));
      now[i].push_back(calls[i].back().seconds);
    }
    const double step = now[0][0];
    against_itself.push_back(now[0][1] / step);
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      if (i > 0 && !now[i].empty()) ratios[contenders[i].name].push_back(now[i][0] / step);
    }
  }
  TimeResult result;
  result.seconds = median_interval(values_of(calls[0], &Outcome::seconds));
  result.parts = {.wake = part_of(calls[0], &Parts::wake),
                  .step = part_of(calls[0], &Parts::step),
                  .synchronise = part_of(calls[0], &Parts::synchronise),
                  .answer = part_of(calls[0], &Parts::answer)};
  const std::vector<double> after = values_of(calls[0], &Outcome::after);
  result.after = median(after);
  for (std::size_t i = 1; i < contenders.size(); ++i)
    if (contenders[i].name != "below")
      result.after_of_peers = std::max(result.after_of_peers, median(values_of(calls[i], &Outcome::after)));
  result.works_late = works_late(after, result.after_of_peers);
  result.noise = median_interval(against_itself);
  result.foreign_load = load.foreign_share();
  for (const auto& [name, values] : ratios) result.ratio[name] = median_interval(values);
  return result;
}

bool works_late(const std::vector<double>& after, double peers) {
  const double allowed = 1e-3 + 3 * peers;
  const auto late = std::count_if(after.begin(), after.end(), [&](double one) { return one > allowed; });
  return 2 * static_cast<std::size_t>(late) > after.size();
}

void judge_late_work(const TimeResult& result, Sheet& sheet) {
  if (!result.works_late) return;
  sheet.set(
      Verdict::review,
      fmt::format("late work: after its clock had stopped, the device or the process was busy for {:.3g} ms "
                  "more in most calls (peers: {:.3g} ms): what does it still compute there?",
                  1e3 * result.after, 1e3 * result.after_of_peers));
}

void judge_time_bound(const TimeResult& result, const Step& row, Sheet& sheet) {
  if (row.time.ratio <= 0) return;
  const auto found = result.ratio.find(row.time.peer);
  if (found == result.ratio.end()) {
    sheet.set(Verdict::skipped, fmt::format("time: there is no {} here to compare with", row.time.peer));
    return;
  }
  const Interval& ratio = found->second;
  const std::string said =
      fmt::format("time: {:.3g} of {} (bound {:g}), interval {:.3g} to {:.3g} over {} pairs", ratio.median,
                  spoken(row.time.peer), row.time.ratio, ratio.low, ratio.high, ratio.count);
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

#include "common/judge/target_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/base/points.hpp"
#include "common/base/text/nearest.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/points_text.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/target_text.hpp"
#include "common/judge/findings/counter_text.hpp"
#include "common/judge/findings/findings.hpp"
#include "common/judge/findings/oclgrind_rules.hpp"
#include "common/judge/suite.hpp"
#include "common/judge/timing/time_rules.hpp"
#include "common/trace/metrics.hpp"
#include "common/trace/occupancy.hpp"

namespace ladder {
namespace {

/// Counters: from the executor's observed mode, also for a step that otherwise runs on a GPU.
void observe(Measurement& how, const PlannedStep& step, const Step& row, const Target& target) {
  if (step.backend == "opencl") {
    const Simulator simulator = find_simulator();
    how.skip = simulator.oclgrind.missing.empty() ? simulator.no_plugin : simulator.oclgrind.missing;
    how.launch =
        simulated_launch_of(step, row.data, simulator.oclgrind.environment_of_counters(oclgrind_record));
    how.record = oclgrind_record;
    how.warm_up = 0;
    return;
  }
  const Watch watch = watch_of(step, row);
  how.skip = watch.possible ? watch.skip : "counters are of kernels; this rung runs on " + step.backend;
  how.launch = watch.launch;
  how.observed = true;
  how.warm_up = 0;
  // A small device and a large one: that of work B, and a recent one.
  if (find_metric(target.metric).of_devices) how.devices = {find_device("GTX 1660"), find_device("H200")};
}

/// Whether less of it than the necessary amount needs a word: work that the contract counts.
bool is_work(const Target& target) {
  const Metric& metric = find_metric(target.metric);
  const bool counted = metric.source == Source::counters || metric.source == Source::device ||
                       metric.source == Source::ranks || metric.source == Source::instructions;
  // A bound below 1 is a row that does not state a least amount.
  return counted && target.relation == "<=" && target.bound >= 1;
}

void tell_profile(const PlannedStep& step, TestReport& report) {
  report.detail("Meant so?", "If your design needs this, say why in notes.md: a person reads it.");
  const std::string tree = step.tree == "solutions" && step.mutant.empty() ? " --tree solutions" : "";
  report.detail("Next", "./ladder profile " + rung_of(plan().lesson, step.step) + tree);
}

}  // namespace

const Lesson& table_of(const Judged& suite) {
  return suite.table ? suite.table() : plan().table;
}

const Step& row_of(const Lesson& lesson, const PlannedStep& step) {
  const auto here = plan().time_bounds.find(step.step);
  for (const Step& row : lesson.steps)
    if (row.name() == step.step)
      return here == plan().time_bounds.end() ? row : calibrated(row, here->second);
  throw Failure{Verdict::not_run, "the table of " + lesson.name + " has no row for " + step.step, {}};
}

Amount amount_of(const Judged& suite, const std::string& name) {
  if (const Amount found = find_amount(suite.amounts, name)) return found;
  std::vector<std::string> names{"as_it_is"};
  for (const auto& one : suite.amounts) names.push_back(one.first);
  const std::string& lesson = plan().lesson;
  throw Error(fmt::format("lessons/{}/rungs.toml names an amount that tests/{}/amounts.hpp does not have: {}",
                          lesson, lesson, unknown("amount", name, names)));
}

double partial_share(const TestReport& report) {
  return report.verdict() == Verdict::wrong ? report.share() : 0.0;
}

std::vector<const Target*> targets_of(const Step& row) {
  std::vector<const Target*> targets;
  for (const Target& target : row.targets)
    if (!target.metric.empty()) targets.push_back(&target);  // private tests may empty one
  return targets;
}

TargetResult unmeasured(const Step& row, const Target& target) {
  TargetResult result;
  result.metric = target.metric;
  result.relation = target.relation;
  result.bound = target.bound;
  result.necessary = target.necessary;
  result.max_points = row.points.targets / static_cast<double>(targets_of(row).size());
  result.work = is_work(target);
  result.proof = target.proof;
  result.own_cost = target.own_cost;
  return result;
}

Measurement measurement_of(const PlannedStep& step, const Step& row, const Target& target) {
  Measurement how;
  const Metric& metric = find_metric(target.metric);
  const auto recorded = [&](const std::string& backend) {
    if (!plan().recorder_of(backend).empty()) return;
    const auto why = plan().no_recorder.find(backend);
    how.skip =
        why != plan().no_recorder.end() ? why->second : "no recorder for " + backend + " was built here";
  };
  switch (metric.source) {
    case Source::counters:
      observe(how, step, row, target);
      break;
    case Source::result:
      how.launch = launch_of(step, row.data);
      how.warm_up = 0;
      how.from_result = true;
      break;
    case Source::instructions: {
      if (step.backend == "executor" || step.backend == "cuda") {
        observe(how, step, row, target);
        break;
      }
      const Oclgrind oclgrind = find_simulator().oclgrind;
      how.skip = oclgrind.missing;
      how.launch = simulated_launch_of(step, row.data, oclgrind.environment_of_instructions());
      how.warm_up = 0;
      how.counts_instructions = true;
      break;
    }
    case Source::worker:
      how.launch = launch_of(step, row.data);
      how.launch.team = team_size();
      how.launch.environment["GOMP_SPINCOUNT"] = "0";  // a thread that spins at a barrier uses CPU time, too
      how.calls = 20;
      break;
    case Source::ranks:
    case Source::device: {
      const bool between_gpus = step.backend == "cuda" && row.ranks > 1;
      if (between_gpus && metric.source == Source::device) {
        how.skip =
            "the order of NCCL's messages in streams is not recorded on GPUs: --device executor has it";
        break;
      }
      if (step.backend != "executor")  // the executor records by itself
        recorded(between_gpus ? "nccl" : step.backend);
      how.launch = launch_of(step, row.data, true);
      how.launch.messages = between_gpus;
      if (target.metric == "chain") how.calls = 3;  // which thread issues a call first is chance
      break;
    }
    case Source::clock:  // not for targets: rows have a bound on time instead
      break;
  }
  return how;
}

Launch launch_as(Launch launch, const DeviceLimits* device) {
  if (!device) return launch;
  const auto show = [&](const char* what, int value) {
    launch.environment["LADDER_EXECUTOR_" + std::string(what)] = std::to_string(value);
  };
  show("MULTIPROCESSORS", device->multiprocessors);
  show("MULTIPROCESSOR_THREADS", device->threads_per_multiprocessor);
  show("MULTIPROCESSOR_BLOCKS", device->blocks_per_multiprocessor);
  show("MULTIPROCESSOR_SHARED", device->shared_per_multiprocessor);
  return launch;
}

double measured_amount(const Measurement& how, const Target& target, Outcome& outcome, Session& session,
                       const DeviceLimits* device) {
  Extras extras;
  InstructionCounts counts;
  extras.cpu_seconds = outcome.cpu_seconds;
  extras.threads = static_cast<std::size_t>(team_size());
  if (!how.record.empty()) outcome.observation = read_record(session, how.record);
  extras.observation = outcome.observation ? &*outcome.observation : nullptr;
  extras.device = device;
  if (how.counts_instructions) {
    counts = parse_instruction_counts(session.finish());
    extras.instructions = &counts;
  }
  try {
    return metric(target.metric, outcome.trace.value_or(Trace{}), extras);
  } catch (const NotCounted& unknown) {
    throw Failure{Verdict::skipped, unknown.what()};
  } catch (const Error& error) {
    throw Failure{Verdict::missed, error.what(), {}};
  }
}

double best_of(const std::vector<double>& amounts, const Target& target) {
  const auto [least, most] = std::minmax_element(amounts.begin(), amounts.end());
  return target.relation == "<=" ? *least : *most;
}

double worst_of(const std::vector<double>& amounts, const Target& target) {
  const auto [least, most] = std::minmax_element(amounts.begin(), amounts.end());
  return target.relation == "<=" ? *most : *least;
}

std::string worst_launch(const Observation& observation, const DeviceLimits& device) {
  std::map<std::string, double> empty;  // unused block slots, of the launches of a kernel
  const LaunchCounters* worst = nullptr;
  Waves of_worst;
  for (const LaunchCounters& launch : observation.launches) {
    const LaunchShape shape = shape_as_asked(launch);
    const Waves w = waves(shape, device);
    if (w.capacity == 0) continue;
    double& lost = empty[launch.kernel];
    lost += (w.capacity - w.last) * shape.threads;
    if (worst && lost <= empty[worst->kernel]) continue;
    worst = &launch, of_worst = w;
  }
  if (!worst) return "";
  const LaunchShape shape = shape_of(*worst);
  return fmt::format(
      "On the {}, {} multiprocessors, {} is launched with {:g} blocks of {} threads. It holds {:g} of them "
      "at once: {:.4g} waves, and the last one has {:g} blocks.",
      device.name, device.multiprocessors, worst->kernel, shape.blocks, shape.threads, of_worst.capacity,
      of_worst.waves, of_worst.last);
}

namespace {

constexpr double rounding = 1e-3;

bool needs_less_than_stated(const TargetResult& result) {
  return result.work && !(result.measured > 1 - rounding);
}

/// Why less than the necessary amount is for a person to look at; empty: it is not, or there is not less.
std::string why_suspicious(const TargetResult& result) {
  if (!needs_less_than_stated(result)) return "";
  if (result.amount <= 0 && (result.floor > 0 || result.metric.find(':') != std::string::npos))
    return "no work was seen";
  if (result.amount < result.floor * (1 - rounding)) return "less than the necessary amount";
  // The rest may have been done by a kernel of another name.
  if (result.all_kernels > result.necessary_amount * (1 + rounding)) return "less than the necessary amount";
  return "";
}

/// What is added to the message of a right program that needs less than the reference.
std::string less_than_reference(const TargetResult& result) {
  if (!needs_less_than_stated(result)) return "";
  return fmt::format("   {:.3g} % less than the reference needs", 100 * (1 - result.measured));
}

}  // namespace

void judge_alone(TestReport& report, TargetResult result, const std::function<void(TargetResult&)>& judge) {
  const Verdict before = report.verdict();
  const std::string said = report.message();
  report.set(Verdict::pass, "");
  try {
    judge(result);
  } catch (const Failure& failure) {
    report.set(failure);
    result.points = 0;
  }
  result.verdict = report.verdict();
  const std::string now = report.message();
  report.set(before, said);
  report.add(result, now);
}

bool ends_judging(Verdict verdict) {
  return verdict == Verdict::not_started || verdict >= Verdict::timeout;
}

void judge_target(TargetResult& result, double amount, double necessary, double equal_work,
                  TestReport& report) {
  const double ratio = amount / necessary;
  result.known = true;
  result.amount = amount;
  result.necessary_amount = necessary;
  result.measured = ratio;
  if (equal_work > 1 && ratio > result.bound && ratio / equal_work <= result.bound) {
    result.reason = fmt::format(
        "{:.2f} here, but equal work has {:.2f} on this machine now: its cores are not equal, or others use "
        "them",
        ratio, equal_work);
    result.points = result.max_points;  // the favourable end
    report.set(Verdict::inconclusive, result.metric + ": " + result.reason);
    report.detail("Meaning",
                  "Neither met nor missed; no fault of yours. Points are those of the favourable end.");
    return;
  }
  const bool met = result.relation == "<=" ? ratio <= result.bound : ratio >= result.bound;
  result.points =
      met ? result.max_points : points_for(ratio, result.relation, result.bound, result.max_points);
  const std::string said = result.bound > 0
                               ? target_sentence(result.metric, amount, necessary, result.necessary,
                                                 result.measured, result.relation, result.bound)
                               : fmt::format("{} {}", amount_text(amount), result.metric);
  if (const std::string why = why_suspicious(result); !why.empty()) {
    report.set(Verdict::review, said + "   " + why);
  } else if (!met) {
    const double next = ratio_of_next_point(result.points, result.relation, result.bound, result.max_points);
    report.set(Verdict::missed, said + fmt::format("   {} points (next point at {:.2g}x)",
                                                   points_text(result.points, result.max_points, "/"), next));
  } else {
    report.set(Verdict::pass, said + less_than_reference(result));
  }
}

void explain_review(const TargetResult& result, TestReport& report) {
  std::string why = "The rung launched nothing that this number counts. Where was the result computed?";
  if (result.amount > 0 && result.amount < result.floor)
    why = fmt::format("No program of this rung needs less than {}: {}.", amount_text(result.floor),
                      result.proof);
  else if (result.amount > 0)
    why = fmt::format(
        "The row counts kernels of one name. All of them together need {}, more than is stated for these.",
        std::isinf(result.all_kernels) ? "an amount that was not counted" : amount_text(result.all_kernels));
  if (result.amount > 0) why += " Something was done elsewhere, or was not counted: a person looks at it.";
  report.detail("What that means", why);
  report.detail("Meanwhile", "The points stand until then. Say in notes.md what you did.");
}

void explain_target(const Observation& observation, const std::string& label, const Target& target,
                    const PlannedStep& step, TargetResult& result, TestReport& report) {
  const bool missed = report.verdict() == Verdict::missed;
  if (judge_observation(observation, label, step, report)) {
    result.points = 0;
  } else if (missed) {
    if (!find_metric(target.metric).of_devices)  // the message has its waves
      explain_counters(observation, target.metric, step, report, result);
    tell_profile(step, report);
  }
}

void explain_without_lines(const Target& target, const Step& row, const PlannedStep& step,
                           TestReport& report) {
  if (report.verdict() != Verdict::missed) return;
  ask_about(target.metric, report);
  if (for_gpu(row)) tell_profile(step, report);
}

void skip_target(TargetResult& result, const std::string& reason, TestReport& report) {
  result.reason = reason;
  result.max_points = 0;  // not counted in the total
  report.set(Verdict::skipped, result.metric + " not measured: " + reason);
}

}  // namespace ladder

/// @file
/// The kind of test that measures the numbers which an idea is to change.

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/statistics.hpp"
#include "common/judge/each_step.hpp"
#include "common/judge/earlier_verdicts.hpp"
#include "common/judge/findings/findings.hpp"
#include "common/judge/judge.hpp"
#include "common/judge/target_rules.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {

namespace {

using namespace detail;

/// One step at its target's size, in a session of its own.
class TargetTest {
 public:
  TargetTest(const Judged& suite, const PlannedStep& step, const Step& row, const Target& target,
             TestReport& report, const Measurement& how, TargetResult& result)
      : step_(step),
        row_(row),
        target_(target),
        amount_(amount_of(suite, target.amount)),
        floor_(target.floor.empty() ? nullptr : amount_of(suite, target.floor)),
        sheet_(report),
        how_(how),
        result_(result),
        one_(suite.sized(row, target.size, target.restricted)) {}

  void run() {
    sheet_.progress(std::string(target_.metric) + " at " + one_.label, 0, 1);
    std::vector<double> best;  // on each device
    std::string waves;
    for (const DeviceLimits* device : how_.devices) {
      if (!measure_on(device)) return;
      best.push_back(best_of(amounts_, target_));
      if (device && observation_ && best.back() == worst_of(best, target_))
        waves = worst_launch(*observation_, *device);
    }
    if (!all_kernels_.empty()) result_.all_kernels = best_of(all_kernels_, target_);
    judge_target(result_, worst_of(best, target_), necessary_, median(equal_work_), sheet_);
    if (!waves.empty() && sheet_.verdict() == Verdict::missed) sheet_.detail("What happened", waves);
    if (observation_)
      explain_target(*observation_, one_.label, target_, step_, result_, sheet_);
    else
      explain_without_lines(target_, row_, step_, sheet_);
    if (sheet_.verdict() == Verdict::review) explain_review(result_, sheet_);
  }

 private:
  /// All calls, with the executor showing itself as that device.
  /// @return false when the report has the verdict
  bool measure_on(const DeviceLimits* device) {
    device_ = device;
    amounts_.clear();
    AnyInstance instance(one_.shape);
    Launch launch = launch_as(how_.launch, device);
    launch.ranks = ranks_of(step_, one_);
    Session session(launch);
    for (int turn = 0; turn < how_.warm_up + how_.calls; ++turn)
      if (!call(session, instance, turn)) return false;
    return true;
  }

  /// Calls the step, and measures unless it is a warm-up call.
  /// @return false when the report has the verdict: wrong, or the amount is unknown
  bool call(Session& session, AnyInstance& instance, int turn) {
    const auto place = static_cast<std::uint64_t>(turn);
    Random random = random_of({step_.step, "target " + target_.metric, place}, place, 17);
    one_.fill(instance, random);
    const int ranks = ranks_of(step_, one_);
    necessary_ = amount_(instance.given(), ranks);
    if (floor_) result_.floor = floor_(instance.given(), ranks);
    Outcome outcome;
    try {
      outcome = session.call(instance);
    } catch (const Failure& failure) {
      if (!judge_fault(failure, one_.label, step_, sheet_)) throw;
      return false;
    }
    const Check check = turn == 0 ? one_.verify(instance) : one_.verify_quickly(instance, random);
    if (!check.right()) {
      sheet_.set(Verdict::wrong, one_.label + ": " + check.wrong + "  (target not judged)");
      remember_wrong_target(step_);
      return false;
    }
    return turn < how_.warm_up || measure(outcome, check, session);
  }

  bool measure(Outcome& outcome, const Check& check, Session& session) {
    try {
      amounts_.push_back(how_.from_result ? check.amount
                                          : measured_amount(how_, target_, outcome, session, device_));
      measure_all_kernels(outcome);
    } catch (const Failure& failure) {
      if (failure.verdict != Verdict::skipped) throw;
      skip_target(result_, failure.message, sheet_);
      return false;
    }
    equal_work_.push_back(outcome.equal_work);
    observation_ = std::move(outcome.observation);
    return true;
  }

  /// The same number of kernels of all names, where the row counts those of one name. What was not counted
  /// may be any amount.
  void measure_all_kernels(const Outcome& outcome) {
    const std::string metric = target_.metric;
    const auto name = metric.find(':');
    if (name == std::string::npos || find_metric(metric).source != Source::counters) return;
    Extras extras;
    extras.observation = outcome.observation ? &*outcome.observation : nullptr;
    extras.device = device_;
    try {
      all_kernels_.push_back(ladder::metric(metric.substr(0, name), outcome.trace.value_or(Trace{}), extras));
    } catch (const NotCounted&) {
      all_kernels_.push_back(std::numeric_limits<double>::infinity());
    }
  }

  const PlannedStep& step_;
  const Step& row_;
  const Target& target_;
  const Amount amount_, floor_;
  TestReport& sheet_;
  const Measurement& how_;
  TargetResult& result_;
  const Case one_;
  const DeviceLimits* device_ = nullptr;  ///< that the executor shows itself as
  double necessary_ = 0;
  std::vector<double> amounts_, equal_work_, all_kernels_;
  std::optional<Observation> observation_;
};

/// The same number of the rung below, to show what the idea has changed: on the executor, where the plan has
/// that rung's worker. Nothing when it does not solve this problem, or when it cannot be measured.
std::optional<double> measured_below(const Judged& suite, const PlannedStep& step, const Step& row,
                                     const Target& target) {
  if (step.backend != "executor" || step.below_observed.empty()) return {};
  if (target.metric.find(':') != std::string::npos) return {};  // other kernels
  const PlannedStep below = below_of(step);
  TestReport unseen(below, TestKind::targets);
  TargetResult result;
  try {
    const Measurement how = measurement_of(below, row, target);
    if (how.skip.empty()) TargetTest(suite, below, row, target, unseen, how, result).run();
  } catch (const Failure&) {
    return {};
  }
  return result.known ? std::optional(result.measured) : std::nullopt;
}

}  // namespace

void judge_targets(const Judged& suite) {
  for_each_step(table_of(suite), TestKind::targets,
                [&](const PlannedStep& step, const Step& row, TestReport& report) {
                  for (const Target* target : targets_of(row)) {
                    const Verdict before = report.verdict();
                    const std::string said = report.message();
                    judge_alone(report, unmeasured(row, *target), [&](TargetResult& result) {
                      if (ends_judging(before)) return report.set(before, said);
                      const Measurement how = measurement_of(step, row, *target);
                      if (how.observed && repeats_failure(step, report)) return;
                      if (!how.skip.empty()) return skip_target(result, how.skip, report);
                      try {
                        TargetTest(suite, step, row, *target, report, how, result).run();
                      } catch (const Failure&) {
                        if (!repeats_failure(step, report))
                          throw;  // what went wrong first is simpler to understand
                      }
                      if (result.known) result.below = measured_below(suite, step, row, *target);
                    });
                  }
                });
}

}  // namespace ladder

#pragma once
/// @file
/// How a target is measured and judged; the part without problem types.
///
/// A target on counters is read from an observed run: counters are the same in every run, so there is one
/// call.

#include <functional>
#include <string>
#include <vector>

#include "common/judge/session/session.hpp"
#include "common/judge/test_report.hpp"
#include "common/lesson/rung.hpp"
#include "common/trace/devices.hpp"
#include "common/trace/oclgrind/oclgrind.hpp"

namespace ladder {

/// How a step's metric is read.
struct Measurement {
  std::string skip;  ///< why it cannot be read here; empty: it can
  Launch launch;
  int warm_up = 1;  ///< calls before: the first ones build kernels
  int calls = 1;    ///< measured calls; the best counts
  bool counts_instructions = false;
  bool observed = false;     ///< counters of the executor's observed mode
  std::string record{};      ///< the worker's file with counters of a simulator; empty: there is none
  bool from_result = false;  ///< Check::amount is the metric
  /// The executor shows itself as each of these devices in turn, and the worst amount counts; null: as its
  /// own.
  std::vector<const DeviceLimits*> devices{nullptr};
};

/// The targets that a row has.
std::vector<const Target*> targets_of(const Step& row);
/// A target of a row, not measured yet, with its share of the points.
TargetResult unmeasured(const Step& row, const Target& target);
/// How the target's metric is read for this step on this machine.
Measurement measurement_of(const PlannedStep& step, const Step& row, const Target& target);
/// The launch of a worker of the executor that shows itself as @p device; null: as its own.
Launch launch_as(Launch launch, const DeviceLimits* device);
/// The metric's value from the measured call. Puts an observation into the outcome that comes only after the
/// worker's end.
double measured_amount(const Measurement& how, const Target& target, Outcome& outcome, Session& session,
                       const DeviceLimits* device = nullptr);
/// The best of several amounts: noise, as in the CPU times of threads, only makes them worse.
double best_of(const std::vector<double>& amounts, const Target& target);
/// The worst of the amounts on several devices.
double worst_of(const std::vector<double>& amounts, const Target& target);
/// A sentence about the launch of the kernel whose last waves leave the most block slots unused.
std::string worst_launch(const Observation& observation, const DeviceLimits& device);
/// Judges one target: @p judge sets the report's verdict and fills in the result, as if it were the only one.
/// What it finds joins what the report has. A Failure that it throws is the verdict of this target.
void judge_alone(TestReport& report, TargetResult result, const std::function<void(TargetResult&)>& judge);
/// Whether a target found that the step does not run at all: then there are no further numbers to read.
bool ends_judging(Verdict verdict);
/// Fills in the result and its points, and sets the report's verdict. An amount of work below the row's floor
/// is REVIEW: something was done elsewhere, or the measurement was manipulated. So is less than the necessary
/// amount in kernels of one name, where all kernels together need more. Other work below the necessary amount
/// is a remark. Neither gives a better score. The result's floor and all_kernels are filled in before.
/// @param equal_work  balance of equal work on this machine: a miss that it explains is INCONCLUSIVE; 0 where
/// the metric needs no clock
void judge_target(TargetResult& result, double amount, double necessary, double equal_work,
                  TestReport& report);
/// Says what REVIEW means.
void explain_review(const TargetResult& result, TestReport& report);
/// Adds the other results of an observed run: its findings, which make the step WRONG, and the lines that a
/// miss comes from.
void explain_target(const Observation& observation, const std::string& label, const Target& target,
                    const PlannedStep& step, TargetResult& result, TestReport& report);
/// The same of a number that no line is known for: a question, and where to look.
void explain_without_lines(const Target& target, const Step& row, const PlannedStep& step,
                           TestReport& report);
/// The target was not measured: SKIPPED, with the reason.
void skip_target(TargetResult& result, const std::string& reason, TestReport& report);
/// Points for a step that is not right everywhere: the share of classes that passed.
double partial_share(const TestReport& report);

}  // namespace ladder

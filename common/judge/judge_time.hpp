#pragma once
/// @file
/// The kind of test that compares times.

#include <memory>
#include <vector>

#include "common/judge/each_step.hpp"
#include "common/judge/time_rules.hpp"

namespace ladder {

/// How long does it take, beside the baseline, the library and the step below, all in this session?
template <class Problem>
void judge_time(const Suite<Problem>& suite) {
  detail::for_each_step(suite.lesson, "time", [&](const PlannedStep& step, const Step& row, Sheet& sheet) {
    const Case<Problem> one = suite.sized(row, time_size(step, row));
    std::vector<Contender> contenders = contenders_of(step, row);
    std::vector<std::unique_ptr<Instance<Problem>>> instances;
    for (std::size_t i = 0; i < contenders.size(); ++i)
      instances.push_back(std::make_unique<Instance<Problem>>(one.shape));
    std::uint64_t turn = 0;
    const auto call = [&](std::size_t i) {  // fresh content each time, and every result is looked at
      Random random(detail::case_seed(++turn, 31));
      one.fill(*instances[i], random);
      const Outcome outcome = contenders[i].session->call(*instances[i]);
      const Check check = suite.verify_quickly(*instances[i], random);
      if (!check.right())
        throw Failure{Verdict::wrong, contenders[i].name + " at " + one.label + ": " + check.wrong, {}};
      return outcome.seconds;
    };
    TimeResult result = measure_times(contenders, row, call, sheet);
    result.problem = suite.size_of(one.shape);
    sheet.set(result);
    // The executor's times say nothing about a GPU: shown, never judged. Nor do its joules.
    if (step.backend == "executor") return;
    judge_time_bound(result, row, sheet);
    // The content of the last call once more: to fill arrays anew would be in the joules.
    const auto same_call = [&] { return contenders[0].session->call(*instances[0]).seconds; };
    sheet.set(measure_energy(energy_meter_of(step), same_call));
  });
}

}  // namespace ladder

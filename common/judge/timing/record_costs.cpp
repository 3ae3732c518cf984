/// @file
/// What the observed mode costs; judges only that the results are right.

#include <memory>

#include "common/judge/each_step.hpp"
#include "common/judge/findings/findings.hpp"
#include "common/judge/judge.hpp"
#include "common/judge/timing/cost_record.hpp"

namespace ladder {

using namespace detail;

void record_costs(const Judged& suite) {
  for_each_step(
      table_of(suite), TestKind::costs, [&](const PlannedStep& step, const Step& row, TestReport& report) {
        const Watch watch = watch_of(step, row);
        if (!watch.skip.empty()) return report.set(Verdict::skipped, watch.skip);
        if (step.backend != "executor")
          return report.set(Verdict::skipped, "the executor does not run it: it runs on " + step.backend);
        const Case one = problem_of(suite, row, stated_size(row), row.target().restricted);
        const auto caller = [&](const Launch& launch) {  // the same content for all calls of a round
          auto session = std::make_shared<Session>(launch);
          auto instance = std::make_shared<AnyInstance>(one.shape);
          return [&, session, instance](int round) {
            const auto place = static_cast<std::uint64_t>(round);
            Random random = random_of({"", "costs", place}, place, 43);
            one.fill(*instance, random);
            const Outcome outcome = session->call(*instance);
            const Check check = round == 0 ? one.verify(*instance) : one.verify_quickly(*instance, random);
            if (!check.right()) throw Failure{Verdict::wrong, one.label + ": " + check.wrong, {}};
            return Spent{.wall = outcome.seconds, .processor = outcome.processor_seconds};
          };
        };
        record_cost(step, one.label, caller(launch_of(step, row.data)), caller(watch.launch), report);
      });
}

}  // namespace ladder

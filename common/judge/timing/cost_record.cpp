#include "common/judge/timing/cost_record.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "common/base/process/process_tree.hpp"

namespace ladder {

void record_cost(const PlannedStep& step, const std::string& problem,
                 const std::function<Spent(int round)>& plain,
                 const std::function<Spent(int round)>& observed, const TestReport& report) {
  const double round_seconds = 2 * plain(0).wall + observed(0).wall;  // warm-up
  const int count = cost_rounds(round_seconds, plan().cell_seconds, plan().pairs);
  std::vector<CostRound> rounds;
  const LoadWatch load;
  for (int round = 1; round <= count; ++round) {
    report.progress("plain and observed at " + problem, round - 1, count);
    CostRound now;
    now.reference = plain(round);
    now.measured = observed(round);
    now.again = plain(round);
    // The call after an observed one finds cold caches: the two sides take turns in that position.
    if (round % 2 == 0) std::swap(now.reference, now.again);
    rounds.push_back(now);
  }
  nlohmann::json record = record_of(step, to_string(TestKind::costs));
  record["problem"] = problem;
  record["cost"] = cost_of(rounds, observed_bound, load.foreign_share());
  append_record(record);
}

}  // namespace ladder

#include "common/base/costs.hpp"

#include <algorithm>

#include "common/base/interval_json.hpp"

namespace ladder {
namespace {

using nlohmann::json;

const char* name(Decision decision) {
  switch (decision) {
    case Decision::met:
      return "met";
    case Decision::not_met:
      return "not met";
    case Decision::open:
      break;
  }
  return "open";
}

/// A cost is met from below, decide() knows bounds that are met from above.
Interval inverse(const Interval& i) {
  return {1 / i.median, 1 / i.high, 1 / i.low, i.count};
}

json measure(const std::vector<CostRound>& rounds, double Spent::*what, double bound, double foreign_load) {
  std::vector<double> reference, measured, ratio, noise;
  for (const CostRound& round : rounds) {
    reference.push_back(round.reference.*what);
    measured.push_back(round.measured.*what);
    ratio.push_back(round.measured.*what / round.reference.*what);
    noise.push_back(round.again.*what / round.reference.*what);
  }
  const Interval ratios = median_interval(ratio), noises = median_interval(noise);
  return {{"reference", json_of(median_interval(reference))},
          {"measured", json_of(median_interval(measured))},
          {"ratio", json_of(ratios)},
          {"noise", json_of(noises)},
          {"decision", name(decide(inverse(ratios), 1 / bound, noises, foreign_load))}};
}

}  // namespace

json cost_of(const std::vector<CostRound>& rounds, double bound, double foreign_load) {
  return {{"bound", bound},
          {"rounds", rounds.size()},
          {"foreign_load", foreign_load},
          {"processor", measure(rounds, &Spent::processor, bound, foreign_load)},
          {"wall", measure(rounds, &Spent::wall, bound, foreign_load)}};
}

int cost_rounds(double round_seconds, double seconds, int most) {
  const double fitting = seconds / std::max(round_seconds, 1e-6);
  return static_cast<int>(
      std::clamp(fitting, double{fewest_cost_rounds}, double(std::max(most, fewest_cost_rounds))));
}

}  // namespace ladder

#pragma once
/// @file
/// What one way to run something costs against another, by ratios of calls that take turns. Knows no worker:
/// judges use it for steps, the tool for the plain loop.

#include <nlohmann/json.hpp>
#include <vector>

namespace ladder {

/// The tiled product on the executor against the plain triple loop.
constexpr double tiled_product_bound = 3;
/// An observed call against the same call on the plain executor.
constexpr double observed_bound = 40;
/// Fewer rounds show no spread.
constexpr int fewest_cost_rounds = 5;

/// What a call took, in seconds.
struct Spent {
  double wall = 0;
  double processor =
      0;  ///< of all threads: other programs on the machine and the number of its cores do not count
};

/// One round of calls. The reference runs twice: what it differs from itself by, this machine cannot tell
/// apart.
struct CostRound {
  Spent reference, again, measured;
};

/// The outcome, with its intervals (interval_json.hpp) of seconds and of ratios of calls of one round:
///
///     {"bound", "rounds", "foreign_load",
///      "processor": {"reference", "measured", "ratio", "noise", "decision": "met", "not met" or "open"},
///      "wall": {…}}
///
/// Open is what statistics.hpp calls so: the interval or the noise spans the bound, or it is missed on a busy
/// machine.
/// @param foreign_load  share of the machine that other programs used meanwhile
nlohmann::json cost_of(const std::vector<CostRound>& rounds, double bound, double foreign_load);

/// How many rounds fit into a time, from fewest_cost_rounds to most.
int cost_rounds(double round_seconds, double seconds, int most);

}  // namespace ladder

#pragma once
/// @file
/// How often a rung is called in a timing session: until what it has shown is enough. This part knows no
/// worker.

#include <array>
#include <cstddef>
#include <vector>

#include "common/base/statistics.hpp"

namespace ladder {

/// A number of pairs after which a timing session looks at its ratios, and the rank of the interval there:
/// from the rank-th smallest to the rank-th largest.
struct Look {
  int pairs;
  std::size_t rank;
};

/// The looks of a timing session that ends once its bound is decided. Looking repeatedly and stopping at the
/// first decision errs more often than looking once, so these intervals are wider than those of a fixed
/// number of pairs. Whatever the distribution, the lower ends of all six are below the median with 98.36 %
/// probability, and so are the upper ends above it; one look at 15 pairs has 98.24 %. The probabilities are
/// those of a random walk, which a test works out again.
constexpr std::array<Look, 6> looks{{{8, 1}, {11, 2}, {15, 3}, {20, 5}, {25, 7}, {31, 8}}};

/// Whether a timing session looks after this number of pairs.
bool is_look(std::size_t pairs);

/// The median and its interval after any number of rounds of a timing session that ends by what it has
/// measured. The rank is that of the last look: after more pairs the interval contains that of the look, so
/// it decides nothing that the look did not.
Interval interval_at_look(std::vector<double> values);

/// What the calls of a rung are for.
enum class Wanted {
  decision,  ///< a bound on the ratio to one of its peers
  spread,    ///< a time that is shown: a narrow interval is enough
  number,    ///< a time that is shown or compared later: a number of calls, as far as there is time
};

/// How many rounds a rung may take.
struct RoundLimits {
  Wanted wanted = Wanted::number;
  int sure = 0;    ///< whatever time they take, unless what it has shown is enough before
  int most = 0;    ///< even when there is time
  int missed = 0;  ///< decision: a bound is missed after these at the earliest
};

/// @param is_run     the verb run, which is waited for: less is enough
/// @param secondary  its calls are shown next to a better number: on the executor they say nothing about a
///                   GPU, and on a GPU the device's own clock times what the rung is about
/// @param bound      whether the ratio that a bound is about is measured in the timing session
/// @param pairs      the plan's
RoundLimits round_limits(bool is_run, bool secondary, bool bound, int pairs);

/// What a rung has shown so far.
struct Shown {
  std::vector<double> seconds{};                   ///< of its calls
  std::vector<double> ratios{}, against_itself{};  ///< decision: of the peer that decides; of the rung
  double bound = 0;
};

/// Whether a rung is called in one more round. A timing session decides at its looks only, so that it errs no
/// more often than a fixed number of pairs would.
/// @param load       share of the machine that other programs have used since the timing session began
/// @param time_left  whether one more round fits
bool wants_round(const RoundLimits& limits, const Shown& shown, double load, bool time_left);

}  // namespace ladder

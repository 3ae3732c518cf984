#pragma once
/// @file
/// The verdicts, their names and their order.

#include <array>
#include <optional>
#include <string_view>

namespace ladder {

/// What a step gets. In the order of weight: the worst one of a step's kinds is the step's.
enum class Verdict {
  pass,          ///< right, and the idea did what it promises
  skipped,       ///< hardware, library or executor feature not there; leaves the denominator
  inconclusive,  ///< time could not be decided
  missed,        ///< right, target not met
  review,        ///< suspicious: a person decides
  not_started,   ///< the skeleton as handed out
  wrong,         ///< a wrong result
  timeout,       ///< did not return in time
  crashed,       ///< ended its process, or threw
  build_error,   ///< does not compile
  rejected,      ///< proved tampering
  not_run,       ///< planned, no record: a failure of ours
};

/// The names as they are printed and stored, in the order of the enumeration.
inline constexpr std::array<std::string_view, 12> verdict_names = {
    "PASS",  "SKIPPED", "INCONCLUSIVE", "MISSED",      "REVIEW",   "NOT STARTED",
    "WRONG", "TIMEOUT", "CRASHED",      "BUILD ERROR", "REJECTED", "NOT RUN"};

/// @return the printed name.
constexpr std::string_view name(Verdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

/// @return the verdict of that printed name; nothing when there is none.
constexpr std::optional<Verdict> verdict_of(std::string_view text) {
  for (std::size_t i = 0; i < verdict_names.size(); ++i)
    if (verdict_names[i] == text) return static_cast<Verdict>(i);
  return std::nullopt;
}

/// @return the verdict of a step from two of its kinds. A kind that was skipped (a target whose counters are
/// not there) does not hide the other's verdict.
constexpr Verdict worse(Verdict a, Verdict b) {
  if (a == Verdict::skipped) return b;
  if (b == Verdict::skipped) return a;
  return a > b ? a : b;
}

}  // namespace ladder

#pragma once
/// @file
/// The verdicts, their names and their order.

#include <array>
#include <optional>
#include <string_view>

namespace ladder {

/// What a step, a kind of test and a target get. In the order of weight: the worst one counts.
enum class Verdict {
  pass,          ///< right, and every number that is judged here was measured, and met
  skipped,       ///< hardware, library, recorder or executor feature not available; not counted in the points
  inconclusive,  ///< measured, and could not be decided: time, balance on unequal cores
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

/// @return the combined verdict of two targets or kinds: the worse one. So PASS means that every number was
/// measured, and met.
constexpr Verdict worse(Verdict a, Verdict b) {
  return a > b ? a : b;
}

}  // namespace ladder

#pragma once
/// @file
/// The record of kind "profile": what one call of a step did, for the verb profile.

#include <cstddef>
#include <optional>
#include <string>

#include "common/judge/session/session.hpp"
#include "common/lesson/rung.hpp"

namespace ladder {

/// What is known about the call besides its outcome.
struct Profiled {
  int size = 0;
  std::string problem{};               ///< "n = 64"
  std::size_t array_bytes = 0;         ///< of all arrays of the problem
  std::optional<double> operations{};  ///< floating-point operations of the problem
  std::optional<double> necessary{};   ///< necessary amount of the row's target
};

/// Where the observation of a step is kept while the judge runs.
std::string observation_file(const PlannedStep& step);

/// Writes one line to the results, besides the verdict of kind "profile":
///
///     {"record": "profile", "lesson", "step", "tree", "mutant", "backend", "size", "problem",
///      "operations", "array_bytes",
///      "target": null or {"metric", "relation", "bound", "necessary", "necessary_amount", "amount",
///                         "measured"},
///      "observation": path of the JSON of an Observation, "trace": path of Trace::to_json()}
///
/// The files are in the plan's scratch folder, which is deleted after the judge: read them when the record
/// comes.
void write_profile(const PlannedStep& step, const Step& row, const Profiled& what, const Outcome& outcome);

}  // namespace ladder

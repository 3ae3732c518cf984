#pragma once
/// @file
/// What the final phase decides from measurements: whether those that were made twice agree, and how a phase
/// has ended.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/model/grade.hpp"

namespace ladder::grade {

/// A rung that is timed.
struct TimedStep {
  std::string id;     ///< "03-dgemm/c1_openmp"
  std::string label;  ///< "03/c1"
  std::string peer;   ///< what its points are a ratio to
};

/// The entry of a record with the time of a step; null: there is none.
const model::GradeEntry* time_entry(const model::GradeRecord& record, const std::string& step);

/// What was measured twice.
struct Repeatability {
  nlohmann::json pairs = nlohmann::json::array();  ///< both measurements of each
  std::vector<std::string> differ{};               ///< one line for each that does not agree
  /// One line for each time of the reference below full points.
  std::vector<std::string> below_full{};

  /// Compares two records of one submission, measured first and at the end. Two times of a step agree when
  /// they get the same points, to two digits, or when the intervals of their ratios meet.
  void compare(const model::GradeRecord& first, const model::GradeRecord& second,
               const std::vector<TimedStep>& steps);
  /// Looks at a measurement of the reference: where it does not get full points for a time, no submission is
  /// measured rightly.
  void look_at_reference(const model::GradeRecord& record, const std::vector<TimedStep>& steps);
  bool flagged() const { return !differ.empty() || !below_full.empty(); }
  /// Why it is flagged, a line each.
  std::vector<std::string> reasons() const;
};

/// How a final phase stands: final.json's "state".
///   "interrupted": not all was measured, and nothing is said of the machine
///   "flagged": all was measured, and the machine was not the same at the end, or the reference was too slow
///   on it "agrees": all was measured, what was measured twice agrees, and the reference had full points both
///   times "untimed": there was no time to measure
std::string final_state(bool all_measured, bool timed, const Repeatability& twice);

}  // namespace ladder::grade

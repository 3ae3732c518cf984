#pragma once
/// @file
/// What an autograder on Gradescope decides without judging anything: how many submissions count, and what its results say
/// of rungs that were not reached.
/// Source: gradescope/autograder_samples, docs/specs.md and docs/submission_metadata.md.

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ladder::gradescope {

/// What the zip says, gradescope.json.
struct Settings {
  std::vector<std::string> rungs;  ///< "03/g1"
  int per_day = 0;                 ///< submissions of a student in 24 hours; 0: all
  double seconds = 540;            ///< for everything: the platform ends us, without results, after 600
};

/// @throws Error with what is wrong
Settings settings_from(const std::string& text);

/// The answer to a submission beyond the most of a day: the results of the last one that was graded, with the time of the next.
/// @param metadata  submission_metadata.json: times are the platform's
/// @return nothing: this one is to be graded
std::optional<nlohmann::json> beyond_the_day(const nlohmann::json& metadata, int per_day);

/// The number of this submission among a student's.
int attempt_of(const nlohmann::json& metadata);

/// results.json of what is judged, with a line for each rung that is not: no score, which is not 0.
/// @param record  of the rungs that are judged, schema gpu-ladder-grade/1; null: none yet
nlohmann::json results_of(const nlohmann::json& record, const std::vector<std::string>& not_judged,
                          const std::string& why);

/// Adds the steps of another record. @param record  null: becomes the other
void add_steps(nlohmann::json& record, const nlohmann::json& other);

/// Whether a record has all its steps judged: NOT RUN is a fault of ours or of the clock.
bool is_judged(const nlohmann::json& record);

}  // namespace ladder::gradescope

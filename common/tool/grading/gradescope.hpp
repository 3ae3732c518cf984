#pragma once
/// @file
/// What an autograder on Gradescope decides without judging anything: how many submissions count, and what
/// its results say of rungs that were not reached. Source: gradescope/autograder_samples, docs/specs.md and
/// docs/submission_metadata.md.

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/course/course_file.hpp"
#include "common/model/grade.hpp"
#include "common/model/gradescope.hpp"

namespace ladder::gradescope {

/// What the zip says, gradescope.json.
struct Settings {
  std::vector<std::string> rungs;  ///< "03/g1"
  /// Of the course file: points, what steps may use; without rungs those of the rows count.
  course::Assignment assignment{};
  int per_day = 0;       ///< submissions of a student in 24 hours; 0: all
  double seconds = 540;  ///< for everything: the platform ends us, without results, after 600
};

/// @throws Error with what is wrong
Settings settings_from(const std::string& text);

/// What image writes into the zip: rungs, submissions per day, and of a course file points and what steps may
/// use.
/// @param assignment  null: no course file
std::string settings_text(const std::vector<std::string>& rungs, int per_day,
                          const course::Assignment* assignment);

/// What was handed in: the folder /autograder/submission, or the archive that lies alone in it. The platform
/// unpacks a zip and nothing else; in other platforms' downloads a tar is a submission, too.
std::filesystem::path import_submissions(const std::filesystem::path& autograder);

/// The answer to a submission beyond the most of a day: the results of the last one that was graded, with the
/// time of the next.
/// @param metadata  submission_metadata.json: times are the platform's
/// @return nothing: this one is to be graded
std::optional<nlohmann::json> beyond_the_day(const nlohmann::json& metadata, int per_day);

/// The number of this submission among a student's.
int attempt_of(const nlohmann::json& metadata);

/// results.json of what is judged, with a line for each rung that is not: no score, which is not 0.
/// @param record  of the rungs that are judged, schema gpu-ladder-grade/1; nothing: none yet
model::GradescopeResults results_of(const std::optional<model::GradeRecord>& record,
                                    const std::vector<std::string>& not_judged, const std::string& why);

/// Adds the steps of another record, and their points. @param record  nothing: becomes the other
void add_steps(std::optional<model::GradeRecord>& record, const model::GradeRecord& other);

/// Whether a record has all its steps judged: NOT RUN is a fault of ours or of the clock.
bool is_judged(const model::GradeRecord& record);

/// @return what results say of instant steps, as the platform shows it: "03/g1 PASS 8 of 8, 03/g2 WRONG
/// 0 of 8"
std::string results_text(const model::GradescopeResults& results);

/// Why an assignment may not go out for what try_zip has found; empty: nothing, or that zip is gone.
std::string wrong_in_zip(const nlohmann::json& tried);

}  // namespace ladder::gradescope

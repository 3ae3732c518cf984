#pragma once
/// @file
/// The record of a grade, schema gpu-ladder-grade/1 (docs/grades.schema.json): made from intake, results of
/// steps and decisions
/// of people. Pages and tables are made from records only.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/base/text/points_text.hpp"
#include "common/grade/intake/intake.hpp"
#include "common/model/grade_json.hpp"

namespace ladder::grade {

/// Whose submission it is, and which.
struct Submission {
  std::string pseudonym;
  std::string name;      ///< of the folder or archive: staff reads it, no page of a student shows it
  std::string received;  ///< UTC, ISO 8601; empty: not known
  int attempt = 1;
};

using model::Grader;
using Open = model::OpenPoints;

/// One result of a step.
struct StepGrade {
  model::GradedResult result;  ///< as the judge's records were merged; without runs: one, of its verdict
  std::string phase;           ///< "instant": no clock, the same everywhere; "final": time, private tests
  std::string part;            ///< final: which open item it closes, "private part" or "time"
  double max_points = 0;       ///< of this phase in the row: what a step has that was not judged to its end
  std::vector<Open> open;
};

/// What a person has decided of a step.
struct Decision {
  std::string step;    ///< "03-dgemm/g2_shared_tiles"
  std::string action;  ///< "accept", "deduct" or "reject"
  double points = 0;   ///< deduct: how many
  std::string by, reason, at;
  std::string source{};  ///< SHA-256 of the file that was decided about, "none": there was none; empty: any
};

/// A record without steps.
model::GradeRecord new_record(const Submission& submission, const Taken& taken, const Grader& grader);

/// Adds a result, instead of an older one of the same step, phase and part. No other step's entry changes.
/// @throws Error when phase, part or result are not what StepGrade says
void add_step(model::GradeRecord& record, const StepGrade& step);

/// SHA-256 of the file that a record has for a step; "none".
std::string source_of(const model::GradeRecord& record, const std::string& step);

/// Adds a decision; the last one of a step counts, as long as the file is the one that it is about. @throws
/// Error without a person, a reason or a step of the record
void decide(model::GradeRecord& record, const Decision& decision);

/// REVIEW and REJECTED are words for staff.
bool is_for_staff(Verdict verdict);

/// "03-dgemm/g2_shared_tiles" of an entry of "steps".
std::string step_id(const model::StepResult& step);

/// The part of a step that private tests judge, as its entry of "steps" names it.
inline constexpr const char* private_part = "private part";
bool is_private(const model::GradeEntry& entry);

/// What the log has of a private part that its student may read whole: {"key", "folder"}, from which check
/// repeats it.
inline constexpr const char* publish_action = "publish";

/// What a submission had that was not taken: "resposta.docx and 2 more"; empty: nothing. @param most  names
std::string what_was_there(const model::GradedSubmission& submission, std::size_t most);

/// Why nothing was taken for a step's file, in words for its student: it was refused, all that came with it
/// was, or nobody sent it.
/// @param submission  the name of the folder or archive, which is not told
std::string why_missing(const std::string& file, const std::string& submission, const Taken& taken);

/// Whether something was handed in, nothing of it was taken for this step, and nobody has looked at it yet:
/// no zero of the student's.
bool is_untaken(const model::GradeRecord& record, const model::GradeEntry& step);

/// Whether a person still has to look at a step.
bool is_provisional(const model::GradeEntry& entry);
bool is_provisional(const model::GradeRecord& record);

/// "visible part 24 of 24; private part, 8 points, opens after …"; what is open is never counted as 0.
std::string total_text(const model::GradeRecord& record);

using ladder::points_text;

/// What the student may read of a record: REVIEW and REJECTED only when a person has decided so; of private
/// tests class and
/// verdict, and the rest once it is published; no name, no evidence.
model::StudentView student_view(const model::GradeRecord& record);

/// What a student reads otherwise in a new entry of a step: the message, from what to what, or "its details".
/// Empty: every word is the same.
std::string changed_words(const model::GradeEntry& before, const model::GradeEntry& after);

/// What is wrong with a record, one sentence; empty: nothing.
std::string wrong_with(const nlohmann::json& record);

/// @throws Error naming the file and what is wrong, a field that is unknown or of another type for one
model::GradeRecord read_record(const std::filesystem::path& file);

/// The record in a file; nothing where there is none that is whole.
/// @throws Error for a field that is unknown or of another type
std::optional<model::GradeRecord> whole_record(const std::filesystem::path& file);

/// Writes a record whole or not at all. @throws Error naming the file and the reason
void write_record(const std::filesystem::path& file, const model::GradeRecord& record);
/// The same of another document of a grade.
void write_document(const std::filesystem::path& file, const nlohmann::json& document);

}  // namespace ladder::grade

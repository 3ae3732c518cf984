#pragma once
/// @file
/// Points for the platforms. Who gets how many points is input here: deadlines and attempts are decided
/// before.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/course/platforms/roster.hpp"
#include "common/course/platforms/submission_import.hpp"
#include "common/course/platforms/table.hpp"
#include "common/model/grade.hpp"
#include "common/model/gradescope.hpp"

namespace ladder::course {

/// What a person gets.
struct Mark {
  std::string id;                ///< of the roster
  std::optional<double> points;  ///< nothing: no cell is written, what the platform has stays
  std::string pseudonym;         ///< of the submission that counts: whose page the person gets; empty: none
  std::string participant;       ///< Moodle's number in this assignment, where it is known
  std::string comment;           ///< what the person reads next to the points
  std::filesystem::path page{};  ///< the file that the person gets; empty: none
};

/// The marks where nothing but the last submission of each person counts, without any deadline. In the
/// roster's order.
/// @param records  schema gpu-ladder-grade/1, with what people have decided; `submission.name` is a key of
/// `handed`
std::vector<Mark> marks_of_last(const Roster& roster, const SubmissionImport& handed,
                                const std::vector<model::GradeRecord>& records);

/// The most points that any of the records has, of the phases that are done.
double max_points(const std::vector<model::GradeRecord>& records);

/// Whether the roster says how Canvas knows a person: the import would ask for anybody else whom it means.
bool is_in_canvas(const Person& person);

/// Canvas's gradebook, to be imported there: Student, ID, SIS User ID, SIS Login ID, Section, and one
/// assignment. Of the people whom Canvas knows.
/// @param assignment  "Homework 2 (12345)": with the assignment's number, as Canvas exports it; without one
/// Canvas looks for the
///                    title and makes a new assignment where it finds none
std::string canvas_gradebook(const Roster& roster, const std::vector<Mark>& marks,
                             const std::string& assignment, double most, const CsvDialect& form);

/// The marks with the numbers of their people in a worksheet, where they were not known.
std::vector<Mark> numbered(const Table& worksheet, const Roster& roster, std::vector<Mark> marks);

/// Moodle's grading worksheet with the points filled in; all else stays as it was downloaded.
/// @throws Error where a column that Moodle wants is not there
std::string filled_worksheet(const Table& worksheet, const Roster& roster, const std::vector<Mark>& marks,
                             const CsvDialect& form);

/// Whose number in Moodle is not known, one line: people of other platforms, or of no submission there.
/// Empty: nobody.
/// @param worksheet  the file that was looked into; empty: none
std::string without_number(const std::vector<Mark>& marks, const std::string& worksheet);

/// A worksheet of our own, for people whose number in the assignment is known.
std::string moodle_worksheet(const Roster& roster, const std::vector<Mark>& marks, double most,
                             const CsvDialect& form);

/// "123" of "Participant 123", in any language.
std::string participant_number(const std::string& identifier);

/// A page for a person, as Moodle takes it back.
struct Feedback {
  std::string participant;
  std::filesystem::path page;
};

/// The zip for "Upload multiple feedback files in a zip": each page in a folder of its person's number,
/// without a name.
/// @throws Error where a page cannot be read or the file not be written
void write_feedback(const std::filesystem::path& zip, const std::vector<Feedback>& all);

/// Which points a results.json has: a hidden test hides the total, so that private points are in a second
/// assignment. What is published has all of them.
enum class Part { visible, private_part, all };

/// Gradescope's results.json of a record. What is open has no score, and is never 0.
model::GradescopeResults gradescope_results(const model::GradeRecord& record, Part part = Part::visible);

/// Whether private tests have been judged: whether there is anything for Part::private_part.
bool has_private_part(const model::GradeRecord& record);

/// What Classroom 50 tells an autograder about the submission, by its environment.
struct Classroom {
  std::string classroom, assignment, submission, commit, release, review;
  std::string datetime;  ///< UTC; its runner puts the commit's date there in any case
};

/// Classroom 50's result.json: points times 100, since its scores are integers. Visible points only.
nlohmann::json classroom50_result(const model::GradeRecord& record, const Classroom& about);

}  // namespace ladder::course

#pragma once
/// @file
/// Points of people for an assignment: those of the records, as the course file counts them, after deadlines.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/course/course_file.hpp"
#include "common/course/deadlines.hpp"
#include "common/course/platforms/gradebook.hpp"
#include "common/course/platforms/submission_import.hpp"
#include "common/model/grade_view.hpp"

namespace ladder::course {

/// "03/g2" of an entry of a record's steps.
std::string rung_of(const model::StepResult& step);

/// The points of a record as an assignment counts them.
struct Counted {
  double points = 0;
  double most = 0;                  ///< of the parts that are done
  std::vector<std::string> open{};  ///< "private part, 4 points": what is not judged yet
};

/// Each rung's share of its row's points, of what the course file gives for it; the same for time and private
/// tests.
/// @param record  schema gpu-ladder-grade/1, with what people have decided
Counted counted(const Assignment& assignment, const model::GradeRecord& record);

/// The same scaled in the record itself, for platforms that add up what each step says. What the assignment
/// does not name stays as it was judged.
model::GradeRecord in_points_of(const Assignment& assignment, model::GradeRecord record);

/// What a student may read of a record, in these points; a step whose rung has others says both ("own").
model::StudentView counted_view(const Assignment& assignment, const model::GradeRecord& record);

/// What a person gets, and why.
struct Ruled {
  Mark mark{};
  std::optional<Credit> credit{};  ///< none: nothing that counts
  Counted counted{};               ///< before deadlines
  int attempts = 0;                ///< that are judged; what is in several downloads is one
  int attempt = 0;                 ///< which of them this is, by their times
  std::optional<sys_seconds> received{};
  sys_seconds due{};       ///< of this person
  std::string platform{};  ///< of the attempt
  std::string note{};
};

/// Slip days that people have used, by their ids.
using SlipDays = std::map<std::string, int>;

/// The marks of all people of the roster, in its order.
/// @param used  in assignments that were due before
std::vector<Ruled> ruled(const Course& course, const Assignment& assignment, const Extensions& extensions,
                         const Roster& roster, const SubmissionImport& handed,
                         const std::vector<model::GradeRecord>& records, const SlipDays& used);

/// Where a folder holds no platform's download: each submission is a person of its own, called as its folder
/// or archive. An empty "received" of a record is an unknown time.
void people_of_records(const std::vector<model::GradeRecord>& records, Roster& roster,
                       SubmissionImport& handed);

/// A line per person: what was judged, how late it was, what is left.
std::string ruled_table(const std::vector<Ruled>& all, const Course& course, const Roster& roster,
                        const CsvDialect& form);

/// What is kept of an export, to be compared with the next one.
nlohmann::json kept(const std::vector<Ruled>& all, const Course& course, const Assignment& assignment);

/// Who gets another number of points than in an export before, and why, or other slip days or attempts: a
/// line each.
std::vector<std::string> changes(const nlohmann::json& before, const nlohmann::json& now);

}  // namespace ladder::course

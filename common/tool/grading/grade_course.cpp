#include "common/tool/grading/grade_course.hpp"

#include <fmt/format.h>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/marks.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/course_verb.hpp"
#include "common/tool/grading/export/points_of_course.hpp"

namespace ladder {
namespace fs = std::filesystem;

using nlohmann::json;

const course::Assignment& chosen_assignment(const course::Course& course, const std::string& typed) {
  try {
    if (!typed.empty()) return course.assignment(typed);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
  if (course.assignments.size() == 1) return course.assignments.front();
  std::string names;
  for (const course::Assignment& one : course.assignments) names += (names.empty() ? "" : ", ") + one.name;
  throw UsageError{
      fmt::format("name one assignment of {} with --assignment: {}", course.file.string(), names)};
}

GradeOptions with_course(const GradeOptions& typed) {
  GradeOptions options = typed;
  if (options.course.empty()) {
    if (!options.assignment.empty()) throw UsageError{"--assignment needs a course file: --course FILE"};
    return options;
  }
  if (!options.rungs.empty() || !options.private_tests.empty() || !options.opens.empty() ||
      !options.allowed.empty() || !options.headers.empty())
    throw UsageError{
        fmt::format("--rungs, --private, --opens and --allow-… are in {}: omit them", options.course)};
  const course::Course course = course_of(options.course);
  const course::Assignment& assignment = chosen_assignment(course, options.assignment);
  options.assignment = assignment.name;
  options.rungs = assignment.rung_names();
  if (options.key.empty() && !course.key.empty()) {
    if (!fs::exists(course.key))
      throw UsageError{fmt::format("{}: no class key {}; ./ladder grade key {} makes one", options.course,
                                   course.key.string(), course.key.string())};
    options.key = course.key.string();
  }
  if (assignment.private_tests) options.private_tests = assignment.private_tests->folder.string();
  if (assignment.time && options.bounds.empty()) options.bounds = assignment.time->bounds.string();
  options.opens = "after " + course.timezone.text(assignment.due);
  if (options.roster.empty()) options.roster = course.roster.string();
  options.timezone = course.timezone.name();
  options.record = course.record;
  options.headers = assignment.allow.headers;
  options.allowed = assignment.allow.symbols;
  return options;
}

void keep_assignment(const GradeOptions& options, const fs::path& out) {
  if (options.course.empty()) return;
  write_text(out / "assignment.json", report::dump({{"course", fs::absolute(options.course).string()},
                                                    {"assignment", options.assignment},
                                                    {"allowed", options.allowed},
                                                    {"headers", options.headers}},
                                                   1) +
                                          "\n");
}

PointsOfCourse::PointsOfCourse(const fs::path& grades) {
  const json kept = read_json(grades / "assignment.json");
  if (!kept.is_object()) return;
  try {
    assignment_ = course::read_course(kept.value("course", "")).assignment(kept.value("assignment", ""));
  } catch (const std::exception&) {  // the file has moved, or has a mistake: the points of the rungs are said
  }
}

model::GradeRecord PointsOfCourse::scaled(model::GradeRecord record) const {
  return assignment_ ? course::in_points_of(*assignment_, std::move(record)) : record;
}

model::StudentView PointsOfCourse::view(const model::GradeRecord& record) const {
  return assignment_ ? course::counted_view(*assignment_, record) : grade::student_view(record);
}

double PointsOfCourse::own(const model::GradeRecord& record, const std::string& id, double points) const {
  const auto step = entry_of(record, id), shown = entry_of(scaled(record), id);
  if (!step || !(shown->max_points.value_or(0) > 0)) return points;
  return points * step->max_points.value_or(0) / *shown->max_points;
}

fs::path key_of_grades(const fs::path& out, const std::string& typed) {
  if (!typed.empty()) return fs::absolute(typed);
  const fs::path own = fs::absolute(out) / "class.key";
  const json kept = read_json(out / "assignment.json");
  const std::string file = kept.is_object() ? kept.value("course", "") : "";
  if (fs::exists(own) || file.empty() || !fs::exists(file)) return own;
  const fs::path of_course = course_of(file).key;
  return of_course.empty() ? own : of_course;
}

void take_allowed(GradeOptions& options, const fs::path& out) {
  const json kept = read_json(out / "assignment.json");
  if (!kept.is_object()) return;
  const std::vector<std::string> none;
  if (options.headers.empty()) options.headers = kept.value("headers", none);
  if (options.allowed.empty()) options.allowed = kept.value("allowed", none);
}

void take_private_tests(GradeOptions& options, const fs::path& out) {
  if (options.course.empty()) return;
  const json kept = read_json(out / "assignment.json");
  GradeOptions of_course;
  of_course.course = options.course;
  of_course.assignment = options.assignment;
  of_course.key = options.key;
  if (of_course.assignment.empty() && kept.is_object()) of_course.assignment = kept.value("assignment", "");
  if (const fs::path own = out / "class.key"; of_course.key.empty() && fs::exists(own))
    of_course.key = own.string();
  of_course = with_course(of_course);
  if (options.private_tests.empty()) options.private_tests = of_course.private_tests;
  if (options.opens.empty()) options.opens = of_course.opens;
  options.key = of_course.key;
  options.course.clear(), options.assignment.clear();  // all of them are taken
}

}  // namespace ladder

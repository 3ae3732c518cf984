/// @file
/// The verb grade export with a course file: the rules of the course applied to the records.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/deadlines.hpp"
#include "common/course/marks.hpp"
#include "common/course/platforms/table.hpp"
#include "common/course/summary.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/course_verb.hpp"
#include "common/tool/grading/export/grade_platforms.hpp"
#include "common/tool/grading/export/grade_publish.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/grading/submission/regrade_changes.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// Slip days that were used, by assignment and person, as the exports have left them.
class SlipLedger {
 public:
  explicit SlipLedger(const course::Course& course)
      : course_(course), file_(state_of(course) / "slip-days.json"), all_(read_json(file_)) {
    if (!all_.is_object()) all_ = json::object();
  }

  /// In assignments that are due before this one.
  course::SlipDays used_before(const course::Assignment& assignment) const {
    course::SlipDays used;
    for (const course::Assignment& other : course_.assignments)
      if (other.due < assignment.due && all_.contains(other.name))
        for (const auto& [id, days] : all_[other.name].items()) used[id] += days.get<int>();
    return used;
  }

  /// Keeps those of an assignment. @return later assignments whose export did not know them
  std::vector<std::string> keep(const course::Assignment& assignment, const std::vector<course::Ruled>& all) {
    json days = json::object();
    for (const course::Ruled& one : all)
      if (one.credit && one.credit->slip_days > 0) days[one.mark.id] = one.credit->slip_days;
    std::vector<std::string> later;
    const bool changed = all_.value(assignment.name, json::object()) != days;
    for (const course::Assignment& other : course_.assignments)
      if (changed && other.due > assignment.due && all_.contains(other.name)) later.push_back(other.name);
    all_[assignment.name] = days;
    fs::create_directories(file_.parent_path());
    fs::permissions(file_.parent_path(), fs::perms::owner_all);
    write_text(file_, report::dump(all_, 1) + "\n");
    return later;
  }

 private:
  const course::Course& course_;
  fs::path file_;
  json all_;
};

/// Whose submissions these are: of the roster and what a platform has handed in, else each its own.
void find_people(const course::Course& course, const GradeStore& store,
                 const std::vector<model::GradeRecord>& records, course::Roster& roster,
                 course::SubmissionImport& handed) {
  const fs::path list = store.folder() / "handed.json";
  if (!fs::exists(list)) return course::people_of_records(records, roster, handed);
  if (course.roster.empty())
    throw UsageError{fmt::format("{}: a platform's submissions need a roster: roster = \"roster.csv\"",
                                 course.file.string())};
  roster = course::read_roster(course.roster);
  handed = course::read_import(list);
}

void say(Terminal& terminal, const std::vector<course::Ruled>& all, const std::vector<std::string>& changed,
         const fs::path& before) {
  for (const std::string& line : course::ruled_summary(all)) terminal.print(line);
  if (!changed.empty())
    terminal.print(
        fmt::format("Other {} than in the last export ({}):",
                    std::all_of(changed.begin(), changed.end(),
                                [](const std::string& line) { return line.find("as before") != line.npos; })
                        ? "slip days or attempts"
                        : "points",
                    before.string()));
  for (const std::string& line : changed) terminal.print("  " + line);
}

/// People who get 0 for a step of which nothing was taken, though something came, and nobody has looked at
/// it.
void say_untaken(Terminal& terminal, const std::vector<course::Ruled>& all,
                 const std::vector<model::GradeRecord>& records) {
  std::vector<std::string> whose;
  for (const course::Ruled& one : all)
    for (const model::GradeRecord& record : records)
      if (record.pseudonym == one.mark.pseudonym)
        for (const model::GradeEntry& step : record.steps)
          if (!step.untaken.empty())
            whose.push_back(fmt::format("{} ({}: {})", one.mark.id, report::label(step), step.untaken));
  if (!whose.empty())
    terminal.print(
        "Something was handed in and nothing taken, which is 0 until a person looks (review, amend): " +
        some_of(whose, 10));
}

/// Our own table, or what a platform reads.
void write_marks(Context& context, const GradeStore& store, const course::Course& course,
                 const course::Roster& roster, const std::vector<course::Ruled>& all) {
  const GradeOptions& options = context.options.grade;
  if (!options.as.empty()) {
    std::vector<course::Mark> marks;
    double most = 0;
    for (const course::Ruled& one : all) marks.push_back(one.mark), most = std::max(most, one.counted.most);
    return write_for_platform(context, store, roster, marks, most);
  }
  const course::CsvDialect form{.separator = options.semicolon ? ';' : ',', .bom = !options.out.empty()};
  const std::string table = course::ruled_table(all, course, roster, form);
  if (options.out.empty())
    std::fputs(table.c_str(), stdout);
  else
    write_text(fs::absolute(options.out), table);
}

int export_with(Context& context, const GradeStore& store, const std::vector<model::GradeRecord>& records,
                const course::Course& course, const course::Assignment& assignment) {
  course::Roster roster;
  course::SubmissionImport handed;
  find_people(course, store, records, roster, handed);
  SlipLedger ledger(course);
  auto all = course::ruled(course, assignment, course::read_extensions(course), roster, handed, records,
                           ledger.used_before(assignment));
  const fs::path before = store.folder() / "export.json";
  const json now = course::kept(all, course, assignment);
  publish_pages(store, course, assignment, records, all);
  if (context.options.grade.as == "gradescope")
    write_published_results(context, course, assignment, records, all);
  else
    write_marks(context, store, course, roster, all);
  say(context.terminal, all, course::changes(read_json(before), now), before);
  say_untaken(context.terminal, all, records);
  context.terminal.print(fmt::format("The page of each person, with these points: {}/ID.html",
                                     (store.folder() / "published").string()));
  say_unmatched(context.terminal, handed);
  for (const std::string& later : ledger.keep(assignment, all))
    context.terminal.print(
        fmt::format("{} was exported with other slip days of {}: export it again", later, assignment.name));
  // Ids of people: nobody else reads it.
  write_text(before, report::dump(now, 1) + "\n");
  fs::permissions(before, fs::perms::owner_read | fs::perms::owner_write);
  return 0;
}

std::vector<model::GradeRecord> in_points_of(const course::Assignment& assignment,
                                             const std::vector<model::GradeRecord>& records) {
  std::vector<model::GradeRecord> scaled;
  for (const model::GradeRecord& record : records) scaled.push_back(course::in_points_of(assignment, record));
  return scaled;
}

}  // namespace

const course::Assignment& assignment_of(const GradeStore& store, const course::Course& course,
                                        const std::string& typed) {
  const json graded_by = read_json(store.folder() / "assignment.json");
  const std::string known = graded_by.is_object() ? graded_by.value("assignment", "") : "";
  const course::Assignment& assignment = chosen_assignment(course, typed.empty() ? known : typed);
  if (graded_by.is_object() && known != assignment.name)
    throw UsageError{
        fmt::format("{} was graded as {}, not as {}", store.folder().string(), known, assignment.name)};
  return assignment;
}

std::vector<std::string> people_who_change(const GradeStore& store, const course::Course& course,
                                           const course::Assignment& assignment,
                                           const std::vector<model::GradeRecord>& before,
                                           const std::vector<model::GradeRecord>& now) {
  try {
    course::Roster roster;
    course::SubmissionImport handed;
    find_people(course, store, before, roster, handed);
    const auto extensions = course::read_extensions(course);
    const auto used = SlipLedger(course).used_before(assignment);
    const auto marks = [&](const std::vector<model::GradeRecord>& records) {
      return course::kept(course::ruled(course, assignment, extensions, roster, handed, records, used),
                          course, assignment);
    };
    std::vector<std::string> lines = course::changes(marks(before), marks(now));
    const std::size_t people = lines.size();
    for (std::string& line : lines) line = "  " + line;
    lines.insert(lines.begin(), people == 0 ? fmt::format("{}: nobody gets other points", assignment.name)
                                            : fmt::format("{}: {} {} other points:", assignment.name,
                                                          people_text(people), people == 1 ? "gets" : "get"));
    return lines;
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
}

int export_by_course(Context& context, const GradeStore& store,
                     const std::vector<model::GradeRecord>& records) {
  const GradeOptions& options = context.options.grade;
  const course::Course course = course_of(options.course);
  const course::Assignment& assignment = assignment_of(store, course, options.assignment);
  if (const std::string why = why_unchecked(context, course, assignment); !why.empty()) throw UsageError{why};
  if (assignment.private_tests)
    if (const std::string why =
            outstanding_regrade(store, records, assignment.private_tests->folder, options.course);
        !why.empty())
      context.terminal.print(why);
  if (!options.as.empty() && options.out.empty())
    throw UsageError{"--out FILE is missing: where to write the export"};
  // Of one record, at the moment when it is handed in: nothing is published yet.
  if (options.as == "classroom50")
    return export_for_platform(context, store, in_points_of(assignment, records));
  try {
    return export_with(context, store, records, course, assignment);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
}

}  // namespace ladder

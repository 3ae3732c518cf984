/// @file
/// The verb grade export with a course file: the rules of the course applied to the records.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "common/base/error.hpp"
#include "common/base/json_file.hpp"
#include "common/course/deadlines.hpp"
#include "common/course/marks.hpp"
#include "common/course/table.hpp"
#include "common/report/results.hpp"
#include "common/tool/course_verb.hpp"
#include "common/tool/files.hpp"
#include "common/tool/grade_course.hpp"
#include "common/tool/grade_platforms.hpp"
#include "common/tool/names.hpp"

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
      if (one.judged && one.judged->slip_days > 0) days[one.mark.id] = one.judged->slip_days;
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
void find_people(const course::Course& course, const GradeStore& store, const std::vector<json>& records,
                 course::Roster& roster, course::HandedIn& handed) {
  const fs::path list = store.folder() / "handed.json";
  if (!fs::exists(list)) return course::people_of_records(records, roster, handed);
  if (course.roster.empty())
    throw UsageError{fmt::format("{}: a platform's submissions need a roster: roster = \"roster.csv\"",
                                 course.file.string())};
  roster = course::read_roster(course.roster);
  handed = course::read_handed(list);
}

void say(Terminal& terminal, const std::vector<course::Ruled>& all, const std::vector<std::string>& changed,
         const fs::path& before) {
  int late = 0, without = 0, unknown_time = 0;
  for (const course::Ruled& one : all) {
    late += one.judged && one.judged->late.count() > 0;
    without += !one.mark.points;
    unknown_time += one.attempts > 0 && !one.received;
  }
  terminal.print(fmt::format("{} people, {} late, {} without points", all.size(), late, without));
  if (unknown_time > 0)
    terminal.print(
        fmt::format("Of {} the time is unknown, and counted as in time: a platform's download has it, or "
                    "received.csv",
                    unknown_time));
  if (!changed.empty())
    terminal.print(fmt::format("Other points than in the last export ({}):", before.string()));
  for (const std::string& line : changed) terminal.print("  " + line);
}

/// Our own table, or what a platform reads.
void write_marks(Context& context, const GradeStore& store, const course::Course& course,
                 const course::Roster& roster, const std::vector<course::Ruled>& all) {
  const GradeOptions& options = context.options.grade;
  if (!options.as.empty()) {
    if (options.out.empty()) throw UsageError{"--out FILE says where the export goes"};
    std::vector<course::Mark> marks;
    double most = 0;
    for (const course::Ruled& one : all) marks.push_back(one.mark), most = std::max(most, one.counted.most);
    return write_for_platform(context, store, roster, marks, most);
  }
  const course::Form form{.separator = options.semicolon ? ';' : ',', .bom = !options.out.empty()};
  const std::string table = course::ruled_table(all, course, roster, form);
  if (options.out.empty())
    std::fputs(table.c_str(), stdout);
  else
    write_text(fs::absolute(options.out), table);
}

int export_with(Context& context, const GradeStore& store, const std::vector<json>& records,
                const course::Course& course, const course::Assignment& assignment) {
  course::Roster roster;
  course::HandedIn handed;
  find_people(course, store, records, roster, handed);
  SlipLedger ledger(course);
  const auto all = course::ruled(course, assignment, course::read_extensions(course), roster, handed, records,
                                 ledger.used_before(assignment));
  const fs::path before = store.folder() / "export.json";
  const json now = course::kept(all, course, assignment);
  write_marks(context, store, course, roster, all);
  say(context.terminal, all, course::changes(read_json(before), now), before);
  for (const std::string& later : ledger.keep(assignment, all))
    context.terminal.print(
        fmt::format("{} was exported with other slip days of {}: export it again", later, assignment.name));
  // Ids of people: nobody else reads it.
  write_text(before, report::dump(now, 1) + "\n");
  fs::permissions(before, fs::perms::owner_read | fs::perms::owner_write);
  return 0;
}

}  // namespace

int export_by_course(Context& context, const GradeStore& store, const std::vector<json>& records) {
  const GradeOptions& options = context.options.grade;
  const course::Course course = course_of(options.course);
  const json graded_by = read_json(store.folder() / "assignment.json");
  const std::string name = options.assignment.empty() && graded_by.is_object()
                               ? graded_by.value("assignment", "")
                               : options.assignment;
  const course::Assignment& assignment = chosen_assignment(course, name);
  if (graded_by.is_object() && graded_by.value("assignment", "") != assignment.name)
    throw UsageError{fmt::format("{} was graded as {}, not as {}", store.folder().string(),
                                 graded_by.value("assignment", ""), assignment.name)};
  if (const std::string why = why_unchecked(context, course, assignment); !why.empty()) throw UsageError{why};
  // What these read has no deadline: the platform knows it.
  if (options.as == "gradescope" || options.as == "classroom50")
    return export_for_platform(context, store, records);
  try {
    return export_with(context, store, records, course, assignment);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
}

}  // namespace ladder

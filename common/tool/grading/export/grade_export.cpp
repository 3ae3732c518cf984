/// @file
/// The part export of grade: the only place where names join grades.

#include "common/tool/grading/export/grade_export.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/csv.hpp"
#include "common/grade/groups.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/export/grade_platforms.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/grading/grade_options.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "common/tool/grading/grades_lock.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// Who is behind each pseudonym: the ids of a group, else the name of the folder or archive.
std::map<std::string, std::string> names_behind(const std::vector<model::GradeRecord>& records,
                                                const std::string& groups_file) {
  grade::Groups groups;
  try {
    if (!groups_file.empty()) groups = grade::read_groups(groups_file);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
  std::map<std::string, std::string> names;
  for (const model::GradeRecord& record : records) {
    const std::string name = record.submission.name;
    std::string ids;
    if (const auto group = groups.find(name); group != groups.end())
      for (const std::string& id : group->second) ids += (ids.empty() ? "" : " ") + id;
    names[record.pseudonym] = ids.empty() ? name : ids;
  }
  return names;
}

/// An option of another table than the one that is written.
void refuse_other_formats(const Options& options) {
  const GradeOptions& grade = options.grade;
  if (grade.as != "canvas") refuse_typed(options, {"--column"}, "is for --as canvas");
  if (grade.as != "moodle") refuse_typed(options, {"--worksheet"}, "is for --as moodle");
  if (!grade.as.empty() || !grade.course.empty())
    refuse_typed(options, {"--names", "--groups"}, "is for the table without --as and --course");
  if (!grade.course.empty()) refuse_typed(options, {"--roster"}, "is in the course file: omit it");
  if (grade.as.empty() && grade.course.empty())
    refuse_typed(options, {"--semicolon"}, "is for --as or --course");
}

}  // namespace

void add_grade_export_options(CLI::App& app, Options& o, Typed&) {
  app.add_option("--out", o.grade.out, "the file; standard output by default")->type_name("FILE");
  app.add_flag("--names", o.grade.names, "with the names of the submissions, or the ids of --groups");
  app.add_option("--groups", o.grade.groups, "lines `SUBMISSION: ID, ID …`: one work of several people")
      ->type_name("FILE");
  add_course(app, o, "the course file");
  app.add_option("--as", o.grade.as, "for this platform: canvas, moodle, gradescope or classroom50")
      ->check(CLI::IsMember({"canvas", "moodle", "gradescope", "classroom50"}))
      ->type_name("PLATFORM");
  app.add_option("--roster", o.grade.roster, "the people of the class (id,name,…), whose points they are")
      ->type_name("FILE");
  app.add_option("--column", o.grade.column, "for Canvas: the assignment, \"Homework 2 (12345)\"")
      ->type_name("NAME");
  app.add_option("--worksheet", o.grade.worksheet,
                 "for Moodle: the grading worksheet that it let you download; it is filled in")
      ->type_name("FILE");
  app.add_flag("--semicolon", o.grade.semicolon, "';' between fields, for spreadsheets that want it");
}

int export_grades(Context& context) {
  const GradeOptions& options = context.options.grade;
  const auto& typed = context.options.names;
  if (typed.size() != 1)
    throw UsageError{"export what? For example: ./ladder grade export grades/ --names --out points.csv"};
  refuse_other_formats(context.options);
  const GradeStore store(fs::absolute(typed[0]));
  const GradesLock lock(store.folder(), GradesLock::reads);
  const auto records = store.records();
  if (records.empty()) throw UsageError{fmt::format("{}: no records", store.folder().string())};
  if (!options.course.empty()) return export_by_course(context, store, records);
  if (!options.as.empty()) return export_for_platform(context, store, records);
  if (!options.roster.empty()) throw UsageError{"--roster needs --as canvas, moodle or gradescope"};
  if (!options.groups.empty() && !options.names)
    throw UsageError{"--groups shows the people of a submission, so it needs --names"};
  const std::string table = grade::overview_csv(
      records, options.names ? names_behind(records, options.groups) : std::map<std::string, std::string>{});
  if (options.out.empty()) {
    std::fputs(table.c_str(), stdout);
    return 0;
  }
  write_text(fs::absolute(options.out), table);
  context.terminal.print(fmt::format("{}: {} submissions, {}", options.out, records.size(),
                                     options.names ? "with names" : "by pseudonym"));
  return 0;
}

}  // namespace ladder

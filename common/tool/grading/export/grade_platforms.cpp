#include "common/tool/grading/export/grade_platforms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/platforms/submission_import.hpp"
#include "common/grade/intake/source_encoding.hpp"
#include "common/grade/record.hpp"
#include "common/report/results/results.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

std::string text_of(const json& results) {
  return report::dump(results) + "\n";
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0')
    throw UsageError{
        fmt::format("{} is not set: --as classroom50 is for the autograder that Classroom 50 starts", name)};
  return value;
}

/// Where several platforms' submissions were graded together, those of Gradescope. It knows whose they are,
/// also of those whom the roster does not have: these get a result, and are said.
std::vector<model::GradeRecord> of_gradescope(Context& context, const GradeStore& store,
                                              const std::vector<model::GradeRecord>& records) {
  const fs::path list = store.folder() / "handed.json";
  if (!fs::exists(list)) return records;
  std::set<std::string> mine;
  const course::SubmissionImport handed = course::read_import(list);
  for (const course::ImportedSubmission& one : handed.all)
    if (one.platform == "gradescope") mine.insert(one.key);
  say_unmatched(context.terminal, handed, "gradescope");
  std::vector<model::GradeRecord> chosen;
  for (const model::GradeRecord& record : records)
    if (mine.contains(record.submission.name)) chosen.push_back(record);
  return chosen.empty() ? records : chosen;
}

/// Files with a result in each; no roster, since the platform knows whose each is.
int write_results(Context& context, const std::vector<model::GradeRecord>& records) {
  const fs::path out = fs::absolute(context.options.grade.out);
  const bool one_file = out.extension() == ".json";
  if (one_file && records.size() != 1)
    throw UsageError{fmt::format("--out {}: must be a folder, since {} submissions get a file each",
                                 out.string(), records.size())};
  for (const model::GradeRecord& record : records) {
    if (context.options.grade.as == "classroom50") {
      if (!one_file) throw UsageError{"--as classroom50 writes a single result: --out result.json"};
      write_text(out, text_of(course::classroom50_result(record, {.classroom = variable("CLASSROOM"),
                                                                  .assignment = variable("ASSIGNMENT"),
                                                                  .submission = variable("SUBMISSION_TAG"),
                                                                  .commit = variable("COMMIT_URL"),
                                                                  .release = variable("RELEASE_URL"),
                                                                  .review = variable("REVIEW_URL"),
                                                                  .datetime = report::now()})));
      continue;
    }
    const fs::path folder = out / record.submission.name;
    write_text(one_file ? out : folder / "results.json",
               text_of(to_json(course::gradescope_results(record))));
    if (!one_file && course::has_private_part(record))
      write_text(folder / "private" / "results.json",
                 text_of(to_json(course::gradescope_results(record, course::Part::private_part))));
  }
  context.terminal.print(fmt::format("{}: {} submissions", out.string(), records.size()));
  return 0;
}

/// Moodle's worksheet, and next to it a zip with each person's page.
void write_moodle(Context& context, const GradeStore& store, const course::Roster& roster,
                  std::vector<course::Mark> marks, double most) {
  const GradeOptions& options = context.options.grade;
  const course::CsvDialect form{.separator = options.semicolon ? ';' : ',', .bom = true};
  const fs::path out = fs::absolute(options.out), zip = fs::path(out).replace_extension(".zip");
  if (options.worksheet.empty()) {
    write_text(out, course::moodle_worksheet(roster, marks, most, form));
  } else {
    const course::Table worksheet = course::read_table(fs::path(options.worksheet));
    marks = course::numbered(worksheet, roster, std::move(marks));
    write_text(out, course::filled_worksheet(worksheet, roster, marks, form));
  }
  std::vector<course::Feedback> pages;
  for (const course::Mark& mark : marks) {
    const fs::path page =
        mark.page.empty() ? store.folder() / "pages" / (mark.pseudonym + ".html") : mark.page;
    if (!mark.pseudonym.empty() && !mark.participant.empty() && fs::exists(page))
      pages.push_back({mark.participant, page});
  }
  course::write_feedback(zip, pages);
  context.terminal.print(fmt::format("{}: the pages of {} people", zip.string(), pages.size()));
  if (const std::string line = course::without_number(marks, fs::path(options.worksheet).filename().string());
      !line.empty())
    context.terminal.print(line);
}

/// Canvas's gradebook, of those whom it knows.
void write_canvas(Context& context, const course::Roster& roster, const std::vector<course::Mark>& marks,
                  double most) {
  const GradeOptions& options = context.options.grade;
  if (options.column.empty())
    throw UsageError{"--column names the assignment as Canvas exports it: --column \"Homework 2 (12345)\""};
  std::vector<std::string> unknown;
  for (const course::Person& person : roster)
    if (!course::is_in_canvas(person)) unknown.push_back(person.id);
  if (unknown.size() == roster.size())
    throw UsageError{
        "nobody of the roster has a canvas_id, sis_user_id or sis_login: Canvas could not tell who they are"};
  write_text(fs::absolute(options.out),
             course::canvas_gradebook(roster, marks, options.column, most,
                                      {.separator = options.semicolon ? ';' : ',', .bom = true}));
  if (!unknown.empty())
    context.terminal.print(
        fmt::format("{} of the roster have no canvas_id, sis_user_id or sis_login, and no row in {}: {}",
                    people_text(unknown.size()), options.out, some_of(unknown, 10)));
}

/// Who gets no points, and whose are not final: for the person who exports.
void say(Context& context, const std::vector<course::Mark>& marks,
         const std::vector<model::GradeRecord>& records) {
  std::vector<std::string> without;
  for (const course::Mark& mark : marks)
    if (!mark.points) without.push_back(mark.id);
  int provisional = 0;
  for (const model::GradeRecord& record : records)
    for (const course::Mark& mark : marks)
      provisional += mark.pseudonym == record.pseudonym && grade::is_provisional(record);
  context.terminal.print(fmt::format(
      "{}: {} of {} people have points{}", context.options.grade.out, marks.size() - without.size(),
      marks.size(), without.empty() ? "" : fmt::format("; an empty cell: {}", fmt::join(without, ", "))));
  if (provisional > 0)
    context.terminal.print(fmt::format("{} of them are provisional: ./ladder review first", provisional));
}

}  // namespace

void say_unmatched(Terminal& terminal, const course::SubmissionImport& handed, const std::string& platform) {
  for (const std::string& line : handed.unmatched(platform))
    terminal.print("of nobody on the roster: " + grade::printable(line));
}

void write_for_platform(Context& context, const GradeStore& store, const course::Roster& roster,
                        const std::vector<course::Mark>& marks, double most) {
  const GradeOptions& options = context.options.grade;
  try {
    if (options.as == "moodle") return write_moodle(context, store, roster, marks, most);
    write_canvas(context, roster, marks, most);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
}

int export_for_platform(Context& context, const GradeStore& store,
                        const std::vector<model::GradeRecord>& records) {
  const GradeOptions& options = context.options.grade;
  if (options.out.empty()) throw UsageError{"--out FILE is missing: where to write the export"};
  if (options.course.empty() &&
      (options.as == "gradescope" || fs::exists(store.folder() / "assignment.json")))
    context.terminal.print(
        "These are the rungs' own points, before any deadline. --course FILE exports what is published: the "
        "course "
        "file's points, after lateness, one result for each person");
  if (options.as == "gradescope") return write_results(context, of_gradescope(context, store, records));
  if (options.as == "classroom50") return write_results(context, records);
  if (options.roster.empty())
    throw UsageError{fmt::format("--as {} needs --roster FILE: whose points they are", options.as)};
  const fs::path list = store.folder() / "handed.json";
  if (!fs::exists(list))
    throw UsageError{fmt::format("{}: not there; ./ladder grade with --roster keeps whose each submission is",
                                 list.string())};
  try {
    const course::Roster roster = course::read_roster(options.roster);
    const course::SubmissionImport handed = course::read_import(list);
    const auto marks = course::marks_of_last(roster, handed, records);
    write_for_platform(context, store, roster, marks, course::max_points(records));
    say(context, marks, records);
    say_unmatched(context.terminal, handed);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
  return 0;
}

}  // namespace ladder

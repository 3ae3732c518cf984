#include "common/tool/grade_platforms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "common/base/error.hpp"
#include "common/course/handed.hpp"
#include "common/grade/record.hpp"
#include "common/report/results.hpp"
#include "common/tool/files.hpp"
#include "common/tool/names.hpp"

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

/// Files with a result in each; no roster, since the platform knows whose each is.
int write_results(Context& context, const std::vector<json>& records) {
  const fs::path out = fs::absolute(context.options.grade.out);
  const bool one_file = out.extension() == ".json";
  if (one_file && records.size() != 1)
    throw UsageError{fmt::format("--out {}: {} submissions need a folder, each gets a file there",
                                 out.string(), records.size())};
  for (const json& record : records) {
    if (context.options.grade.as == "classroom50") {
      if (!one_file) throw UsageError{"--as classroom50 writes one result: --out result.json"};
      write_text(out, text_of(course::classroom50_result(record, {.classroom = variable("CLASSROOM"),
                                                                  .assignment = variable("ASSIGNMENT"),
                                                                  .submission = variable("SUBMISSION_TAG"),
                                                                  .commit = variable("COMMIT_URL"),
                                                                  .release = variable("RELEASE_URL"),
                                                                  .review = variable("REVIEW_URL"),
                                                                  .datetime = report::now()})));
      continue;
    }
    const fs::path folder = out / record.at("submission").value("name", "");
    write_text(one_file ? out : folder / "results.json", text_of(course::gradescope_results(record)));
    if (!one_file && course::has_private_part(record))
      write_text(folder / "private" / "results.json",
                 text_of(course::gradescope_results(record, course::Part::private_part)));
  }
  context.terminal.print(fmt::format("{}: {} submissions", out.string(), records.size()));
  return 0;
}

/// Moodle's worksheet, and beside it a zip with each person's page.
void write_moodle(Context& context, const GradeStore& store, const course::Roster& roster,
                  std::vector<course::Mark> marks, double most) {
  const GradeOptions& options = context.options.grade;
  const course::Form form{.separator = options.semicolon ? ';' : ',', .bom = true};
  const fs::path out = fs::absolute(options.out), zip = fs::path(out).replace_extension(".zip");
  if (options.worksheet.empty()) {
    write_text(out, course::moodle_worksheet(roster, marks, most, form));
  } else {
    const course::Table worksheet = course::read_table(fs::path(options.worksheet));
    marks = course::numbered(worksheet, roster, std::move(marks));
    write_text(out, course::filled_worksheet(worksheet, roster, marks, form));
  }
  std::vector<course::Feedback> pages;
  std::vector<std::string> without;
  for (const course::Mark& mark : marks) {
    const fs::path page = store.folder() / "pages" / (mark.pseudonym + ".html");
    if (mark.pseudonym.empty() || !fs::exists(page)) continue;
    if (mark.participant.empty())
      without.push_back(mark.id);
    else
      pages.push_back({mark.participant, page});
  }
  course::write_feedback(zip, pages);
  context.terminal.print(fmt::format("{}: the pages of {} people", zip.string(), pages.size()));
  if (!without.empty())
    context.terminal.print(
        fmt::format("no page for {}: their number in Moodle's assignment is not known; --worksheet FILE "
                    "has it",
                    fmt::join(without, ", ")));
}

/// Who gets no points, and whose are not final: for the person who exports.
void say(Context& context, const std::vector<course::Mark>& marks, const std::vector<json>& records) {
  std::vector<std::string> without;
  for (const course::Mark& mark : marks)
    if (!mark.points) without.push_back(mark.id);
  int provisional = 0;
  for (const json& record : records)
    for (const course::Mark& mark : marks)
      provisional += mark.pseudonym == record.value("pseudonym", "") && grade::is_provisional(record);
  context.terminal.print(fmt::format(
      "{}: {} of {} people have points{}", context.options.grade.out, marks.size() - without.size(),
      marks.size(), without.empty() ? "" : fmt::format("; an empty cell: {}", fmt::join(without, ", "))));
  if (provisional > 0)
    context.terminal.print(fmt::format("{} of them are provisional: ./ladder review first", provisional));
}

}  // namespace

void write_for_platform(Context& context, const GradeStore& store, const course::Roster& roster,
                        const std::vector<course::Mark>& marks, double most) {
  const GradeOptions& options = context.options.grade;
  try {
    if (options.as == "moodle") return write_moodle(context, store, roster, marks, most);
    if (options.column.empty())
      throw UsageError{"--column names the assignment as Canvas exports it: --column \"Homework 2 (12345)\""};
    write_text(fs::absolute(options.out),
               course::canvas_gradebook(roster, marks, options.column, most,
                                        {.separator = options.semicolon ? ';' : ',', .bom = true}));
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
}

int export_for_platform(Context& context, const GradeStore& store, const std::vector<json>& records) {
  const GradeOptions& options = context.options.grade;
  if (options.out.empty()) throw UsageError{"--out FILE says where the export goes"};
  if (options.as == "gradescope" || options.as == "classroom50") return write_results(context, records);
  if (options.roster.empty())
    throw UsageError{fmt::format("--as {} needs --roster FILE: whose points they are", options.as)};
  const fs::path list = store.folder() / "handed.json";
  if (!fs::exists(list))
    throw UsageError{fmt::format("{}: not there; ./ladder grade with --roster keeps whose each submission is",
                                 list.string())};
  try {
    const course::Roster roster = course::read_roster(options.roster);
    const course::HandedIn handed = course::read_handed(list);
    const auto marks = course::marks_of_last(roster, handed, records);
    write_for_platform(context, store, roster, marks, course::most_points(records));
    say(context, marks, records);
    for (const std::string& line : handed.unmatched())
      context.terminal.print("of nobody on the roster: " + line);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
  return 0;
}

}  // namespace ladder

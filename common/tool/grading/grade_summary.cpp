/// @file
/// What ./ladder grade says at its end.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/base/process/process.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/text.hpp"
#include "common/base/verdict.hpp"
#include "common/grade/record.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/grading/equal_sources.hpp"
#include "common/tool/grading/export/points_of_course.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "common/tool/grading/grading.hpp"

namespace ladder {
namespace {

using model::GradeEntry;
using model::GradeRecord;

constexpr std::size_t small_class = 40;  // submissions, each of which gets a line

std::string verdict_at(const GradeRecord& record, const GradedStep& graded) {
  for (const GradeEntry& step : record.steps)
    if (grade::step_id(step) == graded.step->path()) return std::string(name(step.staff.verdict));
  return "";
}

/// A line per submission.
std::string table_of(const Batch& batch, const std::vector<GradeRecord>& records) {
  std::vector<report::Column> columns = {{.title = "submission"}};
  for (const GradedStep& step : batch.steps) columns.push_back({.title = step.step->label()});
  columns.push_back({.title = "points", .right = true});
  report::Table table(columns);
  for (const GradeRecord& record : records) {
    std::vector<std::string> row = {record.pseudonym};
    for (const GradedStep& step : batch.steps)
      row.push_back(batch.context.terminal.verdict(verdict_at(record, step)));
    row.push_back(grade::points_text(record.points, record.max_points));
    table.add(row);
  }
  return table.text(static_cast<std::size_t>(batch.context.terminal.width()));
}

/// A line per step: how many got which verdict.
std::string counts_of(const Batch& batch, const std::vector<GradeRecord>& records) {
  std::map<std::string, std::map<std::string, int>> of_verdict;  // then of step
  for (const GradeRecord& record : records)
    for (const GradedStep& step : batch.steps) ++of_verdict[verdict_at(record, step)][step.step->label()];
  std::vector<report::Column> columns = {{.title = "rung"}};
  std::vector<std::string> verdicts;
  for (const auto& [verdict, counts] : of_verdict) verdicts.push_back(verdict);
  std::sort(verdicts.begin(), verdicts.end(), [](const auto& a, const auto& b) {
    return verdict_of(a).value_or(Verdict::not_run) < verdict_of(b).value_or(Verdict::not_run);
  });
  for (const std::string& verdict : verdicts) columns.push_back({.title = verdict, .right = true});
  report::Table table(columns);
  for (const GradedStep& step : batch.steps) {
    std::vector<std::string> row = {step.step->label()};
    for (const std::string& verdict : verdicts) {
      const int count = of_verdict[verdict][step.step->label()];
      row.push_back(count == 0 ? "" : fmt::format("{}", count));
    }
    table.add(row);
  }
  return table.text(static_cast<std::size_t>(batch.context.terminal.width()));
}

/// What staff has to do, one line each.
std::vector<std::string> to_do(const Batch& batch, const std::vector<GradeRecord>& records) {
  std::vector<std::string> untaken, not_run, lines;
  int waiting = 0;
  for (const GradeRecord& record : records) {
    bool judged = true;
    for (const GradeEntry& step : record.steps) {
      if (grade::is_provisional(step)) ++waiting;
      if (!step.untaken.empty())
        untaken.push_back(fmt::format("{} {} ({})", record.pseudonym, report::label(step), step.untaken));
      judged = judged && step.staff.verdict != Verdict::not_run;
    }
    if (!judged) not_run.push_back(record.pseudonym);
  }
  const std::string out = batch.out.string();
  if (!untaken.empty())
    lines.push_back(
        fmt::format("Something was handed in and nothing taken, 0 points until a person looks, {}: {}: "
                    "./ladder review {} --by "
                    "YOUR-NAME, and amend takes the file",
                    counted(untaken.size(), "rung"), some_of(untaken, 5), out));
  if (!not_run.empty())
    lines.push_back(
        fmt::format("Not judged, by no fault of theirs, {}: {}; the same command with --resume tries again",
                    not_run.size(), some_of(not_run, 5)));
  if (waiting > 0)
    lines.push_back(fmt::format("{} {} for a person: ./ladder review {} --by YOUR-NAME", waiting,
                                waiting == 1 ? "rung waits" : "rungs wait", out));
  return lines;
}

}  // namespace

bool print_summary(const Batch& batch, const std::vector<Submission>& submissions,
                   const std::filesystem::path& folder) {
  std::set<std::string> mine;
  for (const Submission& submission : submissions) mine.insert(submission.pseudonym);
  std::vector<GradeRecord> records = GradeStore(batch.out).records();
  std::erase_if(records, [&](const GradeRecord& record) { return !mine.contains(record.pseudonym); });
  const PointsOfCourse points(batch.out);
  for (GradeRecord& record : records) record = points.scaled(std::move(record));
  Terminal& terminal = batch.context.terminal;
  if (!records.empty())
    terminal.print(records.size() <= small_class ? table_of(batch, records) : counts_of(batch, records));
  const bool whole = records.size() == submissions.size();
  std::set<std::string> different;
  for (const GradeRecord& record : records) different.insert(record.submission.sha256);
  terminal.print(fmt::format("{}{} of {} submissions graded, {} different",
                             interrupted() ? "Interrupted: " : "", records.size(), submissions.size(),
                             different.size()));
  if (batch.options.passing) return whole && !interrupted();
  for (const std::string& line : to_do(batch, records)) terminal.print(line);
  for (const std::string& line : equal_lines(equal_sources(batch.context.root, batch.out, records)))
    terminal.print(line);
  if (points.known()) terminal.print("Points are the course file's; the export takes off lateness");
  if (!whole)
    terminal.print(
        fmt::format("The rest: ./ladder grade {} --out {} … --resume", folder.string(), batch.out.string()));
  terminal.print(fmt::format("Pages: {0}/overview.html, one per student in {0}/pages; table: {0}/grades.csv",
                             batch.out.string()));
  if (!batch.options.shard.empty())
    terminal.print("After the last shard: ./ladder grade merge FOLDERS --out FOLDER");
  return whole && !interrupted();
}

}  // namespace ladder

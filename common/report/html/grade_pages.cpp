/// @file
/// The page of one submission, made from what its authors may read (grade::student_view).

#include "common/report/html/grade_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "common/base/points.hpp"
#include "common/base/text/points_text.hpp"
#include "common/base/text/step_name.hpp"
#include "common/report/figures/grade_figures.hpp"
#include "common/report/html/html.hpp"

namespace ladder::report {
namespace {

using model::StudentStep;
using model::StudentView;
using model::Target;

/// "7.5 of 8"
std::string points_of(const std::optional<double>& points, const std::optional<double>& most) {
  return points_text(points.value_or(0), most.value_or(0));
}

double number(const std::optional<double>& value) {
  return value.value_or(0);
}

/// A target that has a number and not all of its points.
bool is_missed(const Target& target) {
  return number(target.measured) > 0 && target.bound > 0 && number(target.max_points) > 0 &&
         target.verdict == Verdict::missed;
}

void add_targets(HtmlPage& page, const StudentStep& step) {
  // A step that does not run has no numbers; one that needs nothing of what is counted has 0, and points.
  if (std::none_of(step.targets.begin(), step.targets.end(), [](const Target& target) {
        return number(target.measured) > 0 || number(target.points) > 0;
      }))
    return;
  std::vector<std::vector<std::string>> rows;
  for (const Target& target : step.targets) {
    std::string next;
    if (is_missed(target))
      next = fmt::format("at {:.2g}x", ratio_of_next_point(number(target.points), target.relation,
                                                           target.bound, *target.max_points));
    rows.push_back({target.metric,
                    target.measured ? fmt::format("{:.3g}x", *target.measured) : "not measured",
                    fmt::format("{} {:g}x", target.relation, target.bound),
                    points_of(target.points, target.max_points), next});
  }
  if (!rows.empty())
    page.table("Targets: what was measured, over the necessary amount",
               {{"target"}, {"yours", true}, {"full points", true}, {"points", true}, {"next point"}}, rows);
  for (const Target& target : step.targets)
    if (is_missed(target)) {
      const double points = number(target.points), most = *target.max_points;
      page.figure(points_curve({.metric = target.metric,
                                .relation = target.relation,
                                .measured = *target.measured,
                                .bound = target.bound,
                                .points = points,
                                .max_points = most,
                                .next = ratio_of_next_point(points, target.relation, target.bound, most)}));
    }
}

void add_cases(HtmlPage& page, const StudentStep& step) {
  std::vector<std::vector<std::string>> rows;
  int all = 0, right = 0;
  for (const model::CaseClass& one : step.cases) {
    all += one.of, right += one.passed;
    rows.push_back(
        {one.name, fmt::format("{} of {}", one.passed, one.of), one.passed < one.of ? "not all right" : ""});
  }
  if (right == all && all > 0)
    page.paragraph(fmt::format("All {} cases of {} {} are right{}.", all, rows.size(),
                               rows.size() == 1 ? "class" : "classes",
                               step.student.verdict == "WRONG" ? "; what is wrong is said above" : ""));
  else if (!rows.empty())
    page.table("Cases", {{"class"}, {"right", true}, {""}}, rows);
}

/// Repeats that say something: more than one run.
std::string runs_text(const StudentStep& step) {
  if (step.right_runs)
    return fmt::format("right in {} runs on the same inputs: what its threads do first may differ each time",
                       *step.right_runs);
  return step.runs.size() < 2 ? "" : fmt::format("{}", fmt::join(step.runs, ", "));
}

/// What a person has fixed in the source, what it cost, and what it was before.
void add_amendment(HtmlPage& page, const model::StudentAmendment& amendment) {
  page.facts({{"Fixed by a person",
               fmt::format("{} points deducted: {}", points_text(amendment.points), amendment.reason)},
              {"Before", fmt::format("{}, {}. {}", amendment.before.verdict,
                                     points_of(amendment.before_points, amendment.before_max_points),
                                     amendment.before.message)}});
  std::istringstream lines(amendment.diff);
  std::vector<SourceRow> rows;
  for (std::string line; std::getline(lines, line);)
    rows.push_back({.text = line, .remark = {}, .marked = line.starts_with("+") || line.starts_with("-")});
  page.listing("What was changed", rows);
}

void add_step(HtmlPage& page, const StudentStep& step) {
  const std::string points = points_text(step.points, step.max_points);
  page.heading(fmt::format("{}{} {}: {}, {} points", rung_of(step.lesson, step.name),
                           step.part.empty() ? "" : ", " + step.part, step.file, step.student.verdict,
                           points));
  if (!step.student.message.empty()) page.paragraph(step.student.message);
  if (step.amendment) add_amendment(page, *step.amendment);
  std::vector<std::pair<std::string, std::string>> facts = step.details;
  if (step.own)
    facts.emplace_back(
        "Points", fmt::format("{} of the rung itself, which the course counts as {}; below, the rung's own",
                              points_text(step.own->points, step.own->max_points), points));
  facts.emplace_back("Runs", runs_text(step));
  facts.emplace_back("On", step.device);
  facts.emplace_back("Measured on", step.measured_on);
  if (std::any_of(facts.begin(), facts.end(), [](const auto& fact) { return !fact.second.empty(); }))
    page.facts(facts);
  add_targets(page, step);
  add_cases(page, step);
}

void add_questions(HtmlPage& page, const std::vector<model::StudentQuestion>& questions) {
  std::vector<std::vector<std::string>> rows;
  for (const model::StudentQuestion& one : questions)
    rows.push_back({one.rung, one.ask, points_text(one.points, one.of), one.note});
  if (rows.empty()) return;
  page.heading("Questions");
  page.table("Answers in notes.md that a person has graded",
             {{"rung"}, {"question"}, {"points", true}, {"note"}}, rows);
}

void add_files(HtmlPage& page, const model::GradedSubmission& submission) {
  std::vector<std::vector<std::string>> rows;
  for (const model::GradedFile& file : submission.files)
    rows.push_back({file.path, std::to_string(file.bytes), file.sha256.substr(0, 12),
                    fmt::format("{}", fmt::join(file.changed, ", "))});
  page.heading("What was received");
  if (!rows.empty())
    page.table("Files that were judged", {{"file"}, {"bytes", true}, {"SHA-256"}, {"converted"}}, rows);
  rows.clear();
  for (const model::RefusedFile& file : submission.refused) rows.push_back({file.path, file.why});
  if (!rows.empty()) page.table("Files that were not taken", {{"file"}, {"why"}}, rows);
  if (!submission.missing.empty())
    page.paragraph(fmt::format("Rungs without a file: {}.", fmt::join(submission.missing, ", ")));
  if (!submission.missing.empty() && !submission.contained.empty())
    page.paragraph(
        fmt::format("Also in the submission, and under no name of a rung: {}. The staff sees this list; "
                    "write to them if your work is among it.",
                    fmt::join(submission.contained, ", ")));
  for (const std::string& one : submission.differences)
    page.paragraph("Not as submit has packed it: " + one + ".");
  if (!submission.notes.empty()) page.verbatim("Your notes.md; the staff reads it too", submission.notes);
}

/// When it was handed in, and which attempt it is: of a published grade as the course file counts it.
std::vector<std::pair<std::string, std::string>> facts_of(const StudentView& record) {
  const model::GradedSubmission& submission = record.submission;
  std::vector<std::pair<std::string, std::string>> facts = {{"Receipt", submission.receipt}};
  if (record.published) {
    const model::Publication& published = *record.published;
    facts.insert(facts.end(),
                 {{"Assignment", fmt::format("{}, due {}", published.assignment, published.due)},
                  {"Received", published.received},
                  {"Before lateness", published.judged},
                  {"Lateness", published.lateness},
                  {"Attempt that counts", fmt::format("{} of {}", published.attempt, published.attempts)}});
  } else {
    facts.insert(facts.end(), {{"Received", submission.received.empty() ? "not known" : submission.received},
                               {"Attempt", std::to_string(submission.attempt)}});
  }
  facts.emplace_back("Judged", fmt::format("in sandbox {}, by ladder {}", record.sandbox, record.commit));
  return facts;
}

}  // namespace

std::string student_page(const StudentView& record) {
  HtmlPage page("Grade of " + record.pseudonym);
  page.paragraph("Points: " + record.total + ".");
  page.facts(facts_of(record));
  std::vector<std::vector<std::string>> rows;
  for (const model::OpenPoints& item : record.open)
    rows.push_back({item.what, points_text(item.points), item.opens});
  if (!rows.empty())
    page.table("Not judged yet: these points are neither won nor lost",
               {{"part"}, {"points", true}, {"opens"}}, rows);
  for (const StudentStep& step : record.steps) add_step(page, step);
  add_questions(page, record.questions);
  add_files(page, record.submission);
  return page.text();
}

}  // namespace ladder::report

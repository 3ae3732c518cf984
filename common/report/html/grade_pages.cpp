/// @file
/// The page of one submission, made from what its authors may read (grade::student_view).

#include "common/report/html/grade_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "common/base/points.hpp"
#include "common/report/figures/grade_figures.hpp"
#include "common/report/html/html.hpp"
#include "common/report/results/grade_text.hpp"
#include "common/report/results/results.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

/// A target that has a number and not all of its points.
bool is_missed(const json& target) {
  return number_of(target, "measured") > 0 && number_of(target, "bound") > 0 &&
         number_of(target, "max_points") > 0 && target.value("verdict", "") == "MISSED";
}

void add_targets(HtmlPage& page, const json& step) {
  const json targets = step.value("targets", json::array());
  // A step that does not run has no numbers; one that needs nothing of what is counted has 0, and points.
  if (std::none_of(targets.begin(), targets.end(), [](const json& target) {
        return number_of(target, "measured") > 0 || number_of(target, "points") > 0;
      }))
    return;
  std::vector<std::vector<std::string>> rows;
  for (const json& target : targets) {
    const bool number = target.contains("measured") && target["measured"].is_number();
    std::string next;
    if (is_missed(target))
      next = fmt::format("at {:.2g}x",
                         ratio_of_next_point(number_of(target, "points"), target.value("relation", ""),
                                             number_of(target, "bound"), number_of(target, "max_points")));
    rows.push_back({target.value("metric", ""),
                    number ? fmt::format("{:.3g}x", number_of(target, "measured")) : "not measured",
                    fmt::format("{} {:g}x", target.value("relation", ""), number_of(target, "bound")),
                    points_of(target), next});
  }
  if (!rows.empty())
    page.table("Targets: what was measured, over the necessary amount",
               {{"target"}, {"yours", true}, {"full points", true}, {"points", true}, {"next point"}}, rows);
  for (const json& target : targets)
    if (is_missed(target)) {
      const double points = number_of(target, "points"), bound = number_of(target, "bound"),
                   most = number_of(target, "max_points");
      const std::string relation = target.value("relation", "");
      page.figure(points_curve({.metric = target.value("metric", ""),
                                .relation = relation,
                                .measured = number_of(target, "measured"),
                                .bound = bound,
                                .points = points,
                                .max_points = most,
                                .next = ratio_of_next_point(points, relation, bound, most)}));
    }
}

void add_cases(HtmlPage& page, const json& step) {
  std::vector<std::vector<std::string>> rows;
  int all = 0, right = 0;
  for (const json& one : step.value("cases", json::array())) {
    const int passed = one.value("passed", 0), of = one.value("of", 0);
    all += of, right += passed;
    rows.push_back(
        {one.value("class", ""), fmt::format("{} of {}", passed, of), passed < of ? "not all right" : ""});
  }
  if (right == all && all > 0)
    page.paragraph(fmt::format(
        "All {} cases of {} {} are right{}.", all, rows.size(), rows.size() == 1 ? "class" : "classes",
        step.at("student").value("verdict", "") == "WRONG" ? "; what is wrong is said above" : ""));
  else if (!rows.empty())
    page.table("Cases", {{"class"}, {"right", true}, {""}}, rows);
}

/// Repeats that say something: more than one run.
std::string runs_text(const json& step) {
  if (step.contains("right_runs"))
    return fmt::format("right in {} runs on the same inputs: what its threads do first may differ each time",
                       step["right_runs"].get<int>());
  const json runs = step.value("runs", json::array());
  if (runs.size() < 2) return "";
  std::string text;
  for (const json& run : runs)
    if (run.is_string()) text += (text.empty() ? "" : ", ") + run.get<std::string>();
  return text;
}

/// What a person has fixed in the source, what it cost, and what it was before.
void add_amendment(HtmlPage& page, const json& amendment) {
  const json before = amendment.value("before", json::object());
  page.facts({{"Fixed by a person",
               fmt::format("{} points deducted: {}", points_text(amendment.value("points", 0.0)),
                           amendment.value("reason", ""))},
              {"Before", fmt::format("{}, {}. {}", before.value("verdict", ""), points_of(before),
                                     before.value("message", ""))}});
  std::istringstream lines(amendment.value("diff", ""));
  std::vector<SourceRow> rows;
  for (std::string line; std::getline(lines, line);)
    rows.push_back({.text = line, .remark = {}, .marked = line.starts_with("+") || line.starts_with("-")});
  page.listing("What was changed", rows);
}

void add_step(HtmlPage& page, const json& step) {
  const json& said = step.at("student");
  const std::string part = step.value("part", "");
  page.heading(fmt::format("{}{} {}: {}, {} points", label(step), part.empty() ? "" : ", " + part,
                           step.value("file", ""), said.value("verdict", ""), points_of(step)));
  const std::string message = said.value("message", "");
  if (!message.empty()) page.paragraph(message);
  if (step.contains("amendment")) add_amendment(page, step["amendment"]);
  std::vector<std::pair<std::string, std::string>> facts;
  for (const json& block : step.value("details", json::array()))
    if (block.is_array() && block.size() == 2 && block[0].is_string() && block[1].is_string())
      facts.emplace_back(block[0].get<std::string>(), block[1].get<std::string>());
  if (step.contains("own"))
    facts.emplace_back(
        "Points", fmt::format("{} of the rung itself, which the course counts as {}; below, the rung's own",
                              points_of(step["own"]), points_of(step)));
  facts.emplace_back("Runs", runs_text(step));
  facts.emplace_back("On", step.value("device", ""));
  facts.emplace_back("Measured on", step.value("measured_on", ""));
  if (std::any_of(facts.begin(), facts.end(), [](const auto& fact) { return !fact.second.empty(); }))
    page.facts(facts);
  add_targets(page, step);
  add_cases(page, step);
}

void add_questions(HtmlPage& page, const json& questions) {
  std::vector<std::vector<std::string>> rows;
  for (const json& one : questions)
    rows.push_back({one.value("rung", ""), one.value("ask", ""),
                    points_text(number_of(one, "points"), number_of(one, "of")), one.value("note", "")});
  if (rows.empty()) return;
  page.heading("Questions");
  page.table("Answers in notes.md that a person has graded",
             {{"rung"}, {"question"}, {"points", true}, {"note"}}, rows);
}

void add_files(HtmlPage& page, const json& submission) {
  std::vector<std::vector<std::string>> rows;
  for (const json& file : submission.value("files", json::array())) {
    std::string changed;
    for (const json& change : file.value("changed", json::array()))
      changed += (changed.empty() ? "" : ", ") + change.get<std::string>();
    rows.push_back({file.value("path", ""), std::to_string(file.value("bytes", 0)),
                    file.value("sha256", "").substr(0, 12), changed});
  }
  page.heading("What was received");
  if (!rows.empty())
    page.table("Files that were judged", {{"file"}, {"bytes", true}, {"SHA-256"}, {"converted"}}, rows);
  rows.clear();
  for (const json& file : submission.value("refused", json::array()))
    rows.push_back({file.value("path", ""), file.value("why", "")});
  if (!rows.empty()) page.table("Files that were not taken", {{"file"}, {"why"}}, rows);
  std::string missing;
  for (const json& file : submission.value("missing", json::array()))
    missing += (missing.empty() ? "" : ", ") + file.get<std::string>();
  if (!missing.empty()) page.paragraph("Rungs without a file: " + missing + ".");
  std::string others;
  for (const json& file : submission.value("contained", json::array()))
    others += (others.empty() ? "" : ", ") + file.get<std::string>();
  if (!missing.empty() && !others.empty())
    page.paragraph("Also in the submission, and under no name of a rung: " + others +
                   ". The staff sees this list; write to them if your work is among it.");
  for (const json& one : submission.value("differences", json::array()))
    page.paragraph("Not as submit has packed it: " + one.get<std::string>() + ".");
  if (const std::string notes = submission.value("notes", ""); !notes.empty())
    page.verbatim("Your notes.md; the staff reads it too", notes);
}

/// When it was handed in, and which attempt it is: of a published grade as the course file counts it.
std::vector<std::pair<std::string, std::string>> facts_of(const json& record) {
  const json& submission = record.at("submission");
  std::vector<std::pair<std::string, std::string>> facts = {{"Receipt", submission.value("receipt", "")}};
  if (const auto found = record.find("published"); found != record.end()) {
    const json& published = *found;
    facts.insert(facts.end(), {{"Assignment", fmt::format("{}, due {}", published.value("assignment", ""),
                                                          published.value("due", ""))},
                               {"Received", published.value("received", "")},
                               {"Before lateness", published.value("judged", "")},
                               {"Lateness", published.value("lateness", "")},
                               {"Attempt that counts", fmt::format("{} of {}", published.value("attempt", 1),
                                                                   published.value("attempts", 1))}});
  } else {
    const std::string received = submission.value("received", "");
    facts.insert(facts.end(), {{"Received", received.empty() ? "not known" : received},
                               {"Attempt", std::to_string(submission.value("attempt", 1))}});
  }
  const json ladder = record.value("ladder", json());
  facts.emplace_back(
      "Judged", fmt::format("in sandbox {}, by ladder {}",
                            record.value("sandbox", json("")).is_string() ? record.value("sandbox", "") : "",
                            ladder.is_object() ? ladder.value("commit", "") : ""));
  return facts;
}

}  // namespace

std::string student_page(const json& record) {
  HtmlPage page("Grade of " + record.value("pseudonym", ""));
  page.paragraph("Points: " + record.value("total", "") + ".");
  page.facts(facts_of(record));
  std::vector<std::vector<std::string>> rows;
  for (const json& item : record.value("open", json::array()))
    rows.push_back({item.value("what", ""), points_text(number_of(item, "points")), item.value("opens", "")});
  if (!rows.empty())
    page.table("Not judged yet: these points are neither won nor lost",
               {{"part"}, {"points", true}, {"opens"}}, rows);
  for (const json& step : record.at("steps")) add_step(page, step);
  add_questions(page, record.value("questions", json::array()));
  add_files(page, record.at("submission"));
  return page.text();
}

}  // namespace ladder::report

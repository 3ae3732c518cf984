#include "common/grade/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "common/base/error.hpp"
#include "common/base/text/text.hpp"
#include "common/base/verdict.hpp"
#include "common/grade/intake/names.hpp"
#include "common/grade/intake/package.hpp"
#include "common/grade/intake/source_encoding.hpp"

namespace ladder::grade {
namespace {

using model::GradeDecision;
using model::GradeEntry;
using model::GradeRecord;

constexpr const char* provisional = "PROVISIONAL";
constexpr const char* a_person_looks = "a person looks at this; points provisional";

/// A number; 0 where there is none.
double number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? *value : 0;
}

/// The last decision of a step; null: none. One about a file that was replaced since decides nothing.
const GradeDecision* decision_of(const GradeRecord& record, const std::string& step) {
  const std::string source = source_of(record, step);
  const GradeDecision* last = nullptr;
  for (const GradeDecision& one : record.decisions)
    if (one.step == step && (one.source_sha256.empty() || one.source_sha256 == source)) last = &one;
  return last;
}

/// What the student reads of a step, and how many points it has now.
void settle_step(const GradeRecord& record, GradeEntry& step) {
  const Verdict verdict = step.staff.verdict;
  const GradeDecision* decision = decision_of(record, step_id(step));
  const bool visible =
      step.phase == "instant";  // a deduction must not wait for another phase, nor count in each
  const double deducted = visible && step.amendment ? step.amendment->points : 0;
  const double judged = std::max(0.0, step.judged_points - deducted);
  step.points = judged;
  step.student = {std::string(name(verdict)), step.message};
  if (verdict == Verdict::not_run)
    step.student.message = "not judged yet, by a fault of the grader's; it costs no points";
  if (is_for_staff(verdict)) step.student = {provisional, a_person_looks};
  if (!decision) return;
  // Nothing is nothing, whoever has looked.
  const char* accepted = verdict == Verdict::not_started ? "NOT STARTED" : "ACCEPTED";
  if (decision->action == "accept") step.student = {accepted, decision->reason};
  if (decision->action == "reject") {
    step.student = {"REJECTED", decision->reason};
    step.points = 0;
  }
  if (decision->action == "deduct") {
    const double points = number(decision->points);
    if (visible) step.points = std::max(0.0, judged - points);
    step.student = {"DEDUCTED", fmt::format("{} points: {}", points_text(points), decision->reason)};
  }
}

bool is_closed(const GradeRecord& record, const std::string& step, const std::string& what) {
  return std::any_of(record.steps.begin(), record.steps.end(), [&](const GradeEntry& other) {
    return other.phase == "final" && other.part == what && step_id(other) == step;
  });
}

/// Adds points to the open item of that name and date.
void add_open(std::vector<Open>& open, const Open& item) {
  for (Open& other : open)
    if (other.what == item.what && other.opens == item.opens) {
      other.points += item.points;
      return;
    }
  open.push_back(item);
}

/// Computes everything that follows from steps and decisions.
void settle(GradeRecord& record) {
  record.points = record.max_points = 0;
  record.open.clear();
  for (GradeEntry& step : record.steps) {
    settle_step(record, step);
    record.points += number(step.points);
    record.max_points += number(step.max_points);
    step.open_points = 0;
    for (const Open& item : step.open)
      if (!is_closed(record, step_id(step), item.what)) {
        step.open_points += item.points;
        add_open(record.open, item);
      }
  }
}

/// The points that a result is counted with. A step that ended before its numbers were measured is counted
/// with all of the
/// row's; one that could not be judged by a fault of ours is open.
void take_points(GradeEntry& entry, double of_row) {
  const Verdict verdict = entry.verdict;
  double most = number(entry.max_points);
  if (verdict >= Verdict::review) most = std::max(most, of_row);
  if (verdict == Verdict::not_run) {
    entry.open.push_back({step_id(entry), most, "when it has been judged"});
    most = 0;
  }
  entry.max_points = most;
  entry.judged_points = std::clamp(number(entry.points), 0.0, most);
}

}  // namespace

std::string source_of(const GradeRecord& record, const std::string& step) {
  std::string file;
  for (const GradeEntry& entry : record.steps)
    if (step_id(entry) == step) file = entry.lesson + "/" + entry.file;
  for (const model::GradedFile& one : record.submission.files)
    if (one.path == file) return one.sha256;
  return "none";
}

bool is_for_staff(Verdict verdict) {
  return verdict == Verdict::review || verdict == Verdict::rejected;
}

std::string step_id(const model::StepResult& step) {
  return step.lesson + "/" + step.name;
}

bool is_private(const GradeEntry& entry) {
  return entry.part == private_part;
}

GradeRecord new_record(const Submission& submission, const Taken& taken, const Grader& grader) {
  GradeRecord record{grader};
  record.pseudonym = submission.pseudonym;
  record.submission = {.name = submission.name,
                       .sha256 = taken.sha256,
                       .receipt = receipt_of(taken),
                       .received = submission.received,
                       .attempt = submission.attempt,
                       .missing = taken.missing,
                       .notes = taken.notes,
                       .differences = differences(taken),
                       .contained = taken.contained,
                       .handout = taken.handout};
  for (const TakenFile& file : taken.files)
    record.submission.files.push_back(
        {.path = file.path,
         .bytes = file.bytes,
         .sha256 = file.sha256,
         .submitted_sha256 = file.submitted_sha256 == file.sha256 ? "" : file.submitted_sha256,
         .changed = file.changed});
  for (const Refused& one : taken.refused) record.submission.refused.push_back({one.path, one.why});
  if (!taken.predictions.empty()) record.submission.predictions = nlohmann::json::parse(taken.predictions);
  return record;
}

void add_step(GradeRecord& record, const StepGrade& step) {
  if (step.phase != "instant" && step.phase != "final")
    throw Error(fmt::format("a rung's phase is instant or final, not '{}'", step.phase));
  if (step.part.empty() != (step.phase == "instant"))
    throw Error("a final result has a part, an instant one has none");
  if (step.result.lesson.empty() || step.result.name.empty())
    throw Error("a rung's result has a lesson and a name");
  GradeEntry entry{step.result};
  entry.phase = step.phase;
  entry.part = step.part;
  if (entry.runs.empty()) entry.runs = {entry.verdict};
  entry.open = step.open;
  entry.staff = {entry.verdict, entry.message};
  take_points(entry, step.max_points);
  const auto same = std::find_if(record.steps.begin(), record.steps.end(), [&](const GradeEntry& other) {
    return step_id(other) == step_id(entry) && other.phase == step.phase && other.part == step.part;
  });
  if (same == record.steps.end())
    record.steps.push_back(entry);
  else
    *same = entry;
  settle(record);
}

void decide(GradeRecord& record, const Decision& decision) {
  if (decision.by.empty() || decision.reason.empty()) throw Error("a decision needs a person and a reason");
  if (decision.action != "accept" && decision.action != "deduct" && decision.action != "reject")
    throw Error(fmt::format("a decision is accept, deduct or reject, not '{}'", decision.action));
  if (decision.action == "deduct" && !(decision.points > 0)) throw Error("say how many points to deduct");
  if (std::none_of(record.steps.begin(), record.steps.end(),
                   [&](const GradeEntry& step) { return step_id(step) == decision.step; }))
    throw Error(fmt::format("{} is no rung of this record", decision.step));
  GradeDecision one{.step = decision.step,
                    .action = decision.action,
                    .by = decision.by,
                    .reason = decision.reason,
                    .at = decision.at,
                    .source_sha256 = decision.source};
  if (decision.action == "deduct") one.points = decision.points;
  record.decisions.push_back(one);
  settle(record);
}

namespace {

/// Of a file that nothing asked for.
bool may_be_work(std::string_view path) {
  static constexpr const char* endings[] = {".cu",  ".cpp", ".cc",  ".cxx", ".c",   ".txt",  ".docx",
                                            ".odt", ".rtf", ".zip", ".7z",  ".rar", ".ipynb"};
  return std::any_of(std::begin(endings), std::end(endings),
                     [&](const char* ending) { return path.ends_with(ending); });
}

}  // namespace

std::string what_was_there(const model::GradedSubmission& submission, std::size_t most) {
  std::vector<std::string> names;
  for (const model::RefusedFile& one : submission.refused) names.push_back(one.path);
  names.insert(names.end(), submission.contained.begin(), submission.contained.end());
  return names.empty() ? "" : some_of(names, most);
}

std::string why_missing(const std::string& file, const std::string& submission, const Taken& taken) {
  for (const Refused& one : taken.refused) {
    if (one.path == printable(submission))
      return fmt::format("the submission could not be read: it {}", one.why);
    const std::string own = file_name(one.path);
    if (could_be(own, plain_name(own), file))
      return fmt::format("{} could not be taken: it {}", own == file ? file : one.path, one.why);
  }
  model::GradedSubmission was{.contained = taken.contained};
  for (const Refused& one : taken.refused) was.refused.push_back({one.path, {}});
  const std::string there = what_was_there(was, 3);
  return fmt::format(
      "no {} in the submission{}", file,
      there.empty() ? "" : fmt::format(", and nothing that could be it; not taken: {}", there));
}

bool is_untaken(const GradeRecord& record, const GradeEntry& step) {
  const model::GradedSubmission& submission = record.submission;
  if (step.phase != "instant" || step.staff.verdict != Verdict::not_started || step.amendment ||
      decision_of(record, step_id(step)))
    return false;
  const std::vector<std::string>& missing = submission.missing;
  if (std::find(missing.begin(), missing.end(), step.lesson + "/" + step.file) != missing.end())
    return !what_was_there(submission, 1).empty();
  // The skeleton came, and with it what may be the work under another name.
  return std::any_of(submission.contained.begin(), submission.contained.end(), may_be_work);
}

bool is_provisional(const GradeEntry& entry) {
  return entry.student.verdict == provisional;
}

bool is_provisional(const GradeRecord& record) {
  return std::any_of(record.steps.begin(), record.steps.end(),
                     [](const GradeEntry& entry) { return is_provisional(entry); });
}

std::string total_text(const GradeRecord& record) {
  std::string text =
      (record.open.empty() ? "" : "visible part ") + points_text(record.points, record.max_points);
  for (const Open& item : record.open)
    text += fmt::format("; {}, {} {}, opens {}", item.what, points_text(item.points),
                        item.points == 1 ? "point" : "points", item.opens);
  if (is_provisional(record)) text += "; provisional: a person looks at a rung";
  return text;
}

}  // namespace ladder::grade

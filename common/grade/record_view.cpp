/// @file
/// What a student may read of a record.

#include "common/base/text/step_name.hpp"
#include "common/base/text/temporary_names.hpp"
#include "common/base/verdict.hpp"
#include "common/grade/questions.hpp"
#include "common/grade/record.hpp"

namespace ladder::grade {
namespace {

using model::GradeEntry;
using model::StudentStep;
using nlohmann::json;

/// A verdict of a repeat, or before an amendment, in a word for students.
std::string word_for_students(Verdict verdict) {
  return is_for_staff(verdict) ? "PROVISIONAL" : std::string(name(verdict));
}

/// Without who has fixed it: a person of the staff is none of the page's names.
model::StudentAmendment amendment_view(const model::Amendment& amendment) {
  const model::BeforeAmendment& before = amendment.before;
  model::StudentAmendment view{.reason = amendment.reason,
                               .diff = amendment.diff,
                               .points = amendment.points,
                               .before_points = before.points,
                               .before_max_points = before.max_points};
  if (before.verdict) view.before.verdict = word_for_students(*before.verdict);
  if (!before.verdict || !is_for_staff(*before.verdict)) view.before.message = before.message;
  return view;
}

/// A target without what is for staff: a verdict that is theirs is none.
model::Target target_view(model::Target target) {
  if (is_for_staff(target.verdict)) target.verdict = Verdict::not_run, target.reason.clear();
  return target;
}

/// The details of a private part, ending with the command that repeats it.
model::Details repeated_by(model::Details details, const GradeEntry& step) {
  std::erase_if(details, [](const auto& block) { return block.first == "Next"; });
  details.emplace_back("Next", "./ladder check " + rung_of(step.lesson, step.name) + " --private " +
                                   step.published->folder + " --seed " + step.published->key);
  return details;
}

StudentStep step_view(const GradeEntry& step) {
  StudentStep view{.lesson = step.lesson,
                   .name = step.name,
                   .file = step.file,
                   .phase = step.phase,
                   .part = step.part,
                   .points = step.points.value_or(0),
                   .max_points = step.max_points.value_or(0),
                   .student = step.student};
  const Verdict verdict = step.staff.verdict;
  const bool withheld = is_private(step) && !step.published;
  // Evidence of what a person looks at, or has looked at, is in the reason that they give.
  const bool evidence = is_for_staff(verdict);
  if (step.amendment) view.amendment = amendment_view(*step.amendment);
  if (withheld) {
    if (!evidence && view.student.verdict == name(verdict)) view.student.message.clear();
    view.cases = step.cases;
  } else if (!evidence) {
    for (const Verdict run : step.runs) view.runs.push_back(word_for_students(run));
    view.right_runs = step.right_runs;
    view.device = step.device;
    view.measured_on = step.measured_on;
    view.details = step.published ? repeated_by(step.details, step) : step.details;
    view.cases = step.cases;
    for (const model::Target& target : step.targets) view.targets.push_back(target_view(target));
  }
  return view;
}

}  // namespace

std::string changed_words(const GradeEntry& before, const GradeEntry& after) {
  const StudentStep old = step_view(before), now = step_view(after);
  const std::string &said = old.student.message, &says = now.student.message;
  if (without_temporary_names(said) != without_temporary_names(says))
    return "\"" + said + "\" → \"" + says + "\"";
  const auto details = [](const StudentStep& view) {
    std::string text;
    for (const auto& [heading, block] : view.details) text += heading + "\n" + block + "\n";
    return without_temporary_names(text);
  };
  return details(old) == details(now) ? "" : "its details";
}

model::StudentView student_view(const model::GradeRecord& record) {
  model::StudentView view{.pseudonym = record.pseudonym,
                          .submission = record.submission,
                          .sandbox = record.sandbox.value_or(""),
                          .points = record.points,
                          .max_points = record.max_points,
                          .open = record.open,
                          .total = total_text(record)};
  view.submission.name.clear();
  if (record.ladder.is_object()) view.commit = record.ladder.value("commit", "");
  for (const GradeEntry& step : record.steps) view.steps.push_back(step_view(step));
  for (const Graded& one : graded(record))
    if (one.points)  // nobody's name
      view.questions.push_back({one.rung, one.ask, *one.points, one.of, one.note});
  return view;
}

}  // namespace ladder::grade

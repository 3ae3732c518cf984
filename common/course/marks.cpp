#include "common/course/marks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "common/base/text/step_name.hpp"
#include "common/course/platforms/table.hpp"
#include "common/grade/questions.hpp"
#include "common/grade/record.hpp"

namespace ladder::course {
namespace {

using nlohmann::json;

/// Points and most points of what was judged of a rung: its instant phase, "time" or "private part".
std::pair<double, double> judged_points(const model::GradeRecord& record, const std::string& rung,
                                        const std::string& part) {
  double points = 0, most = 0;
  for (const model::GradeEntry& step : record.steps) {
    const bool same = step.part == part && (rung.empty() || rung_of(step) == rung);
    if (!same) continue;
    points += step.points.value_or(0);
    most += step.max_points.value_or(0);
  }
  return {points, most};
}

void add(Counted& all, std::pair<double, double> judged, double worth, const std::string& what) {
  if (judged.second > 0) {
    all.points += worth * judged.first / judged.second;
    all.most += worth;
  } else {
    all.open.push_back(fmt::format("{}, {} points", what, grade::points_text(worth)));
  }
}

/// What the assignment gives for a part of a record.
struct Worth {
  std::string rung, part;  ///< as judged_points() takes them
  double points;
  std::string what;
};

std::vector<Worth> worths(const Assignment& assignment) {
  std::vector<Worth> all;
  for (const auto& [rung, points] : assignment.rungs) all.push_back({rung, "", points, rung});
  if (assignment.time)
    for (const std::string& rung : assignment.time->rungs)
      all.push_back({rung, "time",
                     assignment.time->points / static_cast<double>(assignment.time->rungs.size()),
                     "time of " + rung});
  if (assignment.private_tests)
    all.push_back({"", grade::private_part, assignment.private_tests->points, grade::private_part});
  return all;
}

/// By how much the points of an entry are multiplied: all entries of its part share what the assignment
/// gives.
double share_of(const std::vector<Worth>& worths, const model::GradeRecord& record,
                const model::GradeEntry& step) {
  for (const Worth& one : worths)
    if (one.part == step.part && (one.rung.empty() || one.rung == rung_of(step)))
      if (const double most = judged_points(record, one.rung, one.part).second; most > 0)
        return one.points / most;
  return 1;
}

/// What people have graded; the rest, and what two of them differ in, is open.
void add_questions(Counted& all, const Assignment& assignment, const model::GradeRecord& record) {
  const auto given = grade::graded(record);
  double open = 0, differ = 0;
  for (const Manual& one : assignment.manual) {
    const grade::Graded* found = grade::find(given, one.rung, one.ask);
    if (found && found->points && found->of > 0)
      add(all, {*found->points, found->of}, one.points, "");
    else
      (found ? differ : open) += one.points;
  }
  if (open > 0) add(all, {}, open, "questions");
  if (differ > 0) add(all, {}, differ, "questions in which two people differ");
}

/// An attempt with its record.
struct Tried {
  const ImportedSubmission* handed;
  const model::GradeRecord* record;
};

std::vector<Tried> attempts_of(const std::string& id, const SubmissionImport& handed,
                               const std::vector<model::GradeRecord>& records) {
  std::vector<Tried> all;
  for (const ImportedSubmission& one : handed.all) {
    if (std::find(one.people.begin(), one.people.end(), id) == one.people.end()) continue;
    for (const model::GradeRecord& record : records)
      if (record.submission.name == one.key) all.push_back({&one, &record});
  }
  return all;
}

/// How many different ones there are, and which of them one is, in the order of their times: several
/// downloads have what was handed in before the first of them.
std::pair<int, int> place_among(const std::vector<Tried>& tried, std::size_t which) {
  const auto what = [](const Tried& one) {
    const std::string sum = one.record->submission.sha256;
    return std::pair(one.handed->received, sum.empty() ? one.handed->key : sum);
  };
  std::set<std::pair<std::optional<sys_seconds>, std::string>> different;
  for (const Tried& one : tried) different.insert(what(one));
  const auto place = std::distance(different.begin(), different.find(what(tried[which])));
  return {static_cast<int>(different.size()), static_cast<int>(place) + 1};
}

std::string comment_of(const Ruled& one, const Late& late) {
  std::string text = grade::points_text(one.counted.points, one.counted.most) + " points";
  if (one.credit) text += "; " + lateness_text(*one.credit, late);
  for (const std::string& open : one.counted.open) text += "; open: " + open;
  return text;
}

}  // namespace

std::string rung_of(const model::StepResult& step) {
  return ladder::rung_of(step.lesson, step.name);
}

Counted counted(const Assignment& assignment, const model::GradeRecord& record) {
  Counted all;
  for (const Worth& one : worths(assignment))
    add(all, judged_points(record, one.rung, one.part), one.points, one.what);
  add_questions(all, assignment, record);
  double predicted = 0;  // these numbers are in no record
  for (const Predict& one : assignment.predict) predicted += one.points;
  if (predicted > 0) add(all, {}, predicted, "predictions");
  return all;
}

namespace {

/// What people have taken off, in the same points: the student reads both together.
void scale_words(model::GradeEntry& step, double share, const std::vector<model::GradeDecision>& decisions) {
  if (step.amendment) {
    step.amendment->points *= share;
    for (auto* points : {&step.amendment->before.points, &step.amendment->before.max_points})
      if (*points) **points *= share;
  }
  if (step.student.verdict != "DEDUCTED") return;
  for (const model::GradeDecision& one : decisions)
    if (one.step == grade::step_id(step) && one.action == "deduct")
      step.student.message =
          fmt::format("{} points: {}", grade::points_text(share * one.points.value_or(0)), one.reason);
}

}  // namespace

model::StudentView counted_view(const Assignment& assignment, const model::GradeRecord& record) {
  model::StudentView view = grade::student_view(in_points_of(assignment, record));
  for (std::size_t i = 0; i < view.steps.size(); ++i) {
    const model::GradeEntry& own = record.steps[i];
    const double most = own.max_points.value_or(0);
    if (most != view.steps[i].max_points) view.steps[i].own = model::RungPoints{own.points.value_or(0), most};
  }
  return view;
}

model::GradeRecord in_points_of(const Assignment& assignment, model::GradeRecord record) {
  const std::vector<Worth> given = worths(assignment);
  std::vector<double> shares;
  for (const model::GradeEntry& step : record.steps) shares.push_back(share_of(given, record, step));
  double points = 0, most = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    model::GradeEntry& step = record.steps[i];
    step.points = shares[i] * step.points.value_or(0);
    step.max_points = shares[i] * step.max_points.value_or(0);
    scale_words(step, shares[i], record.decisions);
    points += *step.points, most += *step.max_points;
  }
  record.points = points;
  record.max_points = most;
  for (model::OpenPoints& item : record.open) {
    if (item.what == grade::private_part && assignment.private_tests)
      item.points = assignment.private_tests->points;
    if (item.what == "time" && assignment.time) item.points = assignment.time->points;
  }
  return record;
}

std::vector<Ruled> ruled(const Course& course, const Assignment& assignment, const Extensions& extensions,
                         const Roster& roster, const SubmissionImport& handed,
                         const std::vector<model::GradeRecord>& records, const SlipDays& used) {
  std::vector<Mark> of_last = marks_of_last(roster, handed, records);  // knows Moodle's numbers
  std::vector<Ruled> all;
  for (std::size_t i = 0; i < roster.size(); ++i) {
    Ruled& one = all.emplace_back();
    one.mark = of_last[i];
    one.mark.points.reset();
    one.mark.comment.clear();
    one.mark.pseudonym.clear();
    const std::string& id = roster[i].id;
    const std::vector<Tried> tried = attempts_of(id, handed, records);
    std::vector<Attempt> attempts;
    std::vector<Counted> worth;
    for (const Tried& attempt : tried) {
      worth.push_back(counted(assignment, *attempt.record));
      attempts.push_back({.id = attempt.record->pseudonym,
                          .received = attempt.handed->received,
                          .points = worth.back().points,
                          .active = attempt.handed->active,
                          .said_late = attempt.handed->late});
    }
    const int left = std::max(0, course.late.slip_days - (used.contains(id) ? used.at(id) : 0));
    one.due = due_for(id, assignment, extensions);
    const Outcome outcome = credit_of_attempts(attempts, one.due, course.late, left, course.timezone);
    one.note = outcome.note;
    one.credit = outcome.counted;
    if (attempts.empty()) continue;
    const std::size_t which = outcome.counted ? outcome.counted->attempt : outcome.all.back().attempt;
    std::tie(one.attempts, one.attempt) = place_among(tried, which);
    one.platform = tried[which].handed->platform;
    one.counted = worth[which];
    one.received = attempts[which].received;
    one.mark.pseudonym = attempts[which].id;
    // A record in which nothing could be judged is not 0 of something.
    if (one.counted.most > 0) one.mark.points = outcome.counted ? outcome.counted->points : 0;
    if (!one.credit) one.credit = outcome.all[which];
    one.mark.comment = comment_of(one, course.late);
  }
  return all;
}

void people_of_records(const std::vector<model::GradeRecord>& records, Roster& roster,
                       SubmissionImport& handed) {
  for (const model::GradeRecord& record : records) {
    const model::GradedSubmission& submission = record.submission;
    const std::string name = submission.name;
    Person person;
    person.id = person.name = name;
    roster.push_back(std::move(person));
    ImportedSubmission one;
    one.key = name;
    one.people = {name};
    one.received = time_of(submission.received, this_machine);
    handed.all.push_back(std::move(one));
  }
}

std::string ruled_table(const std::vector<Ruled>& all, const Course& course, const Roster& roster,
                        const CsvDialect& form) {
  std::vector<std::vector<std::string>> rows = {{"id", "name", "pseudonym", "points", "max_points", "judged",
                                                 "late", "slip_days", "received", "attempts", "open",
                                                 "note"}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Ruled& one = all[i];
    rows.push_back({one.mark.id, roster[i].name, one.mark.pseudonym,
                    one.mark.points ? grade::points_text(*one.mark.points) : "",
                    one.attempts > 0 ? grade::points_text(one.counted.most) : "",
                    one.attempts > 0 ? grade::points_text(one.counted.points) : "",
                    one.credit ? lateness_text(*one.credit, course.late) : "",
                    one.credit ? std::to_string(one.credit->slip_days) : "",
                    one.received   ? course.timezone.text(*one.received)
                    : one.attempts ? "unknown"
                                   : "",
                    std::to_string(one.attempts), fmt::format("{}", fmt::join(one.counted.open, "; ")),
                    one.note});
  }
  return table_text(rows, form);
}

json kept(const std::vector<Ruled>& all, const Course& course, const Assignment& assignment) {
  json marks = json::object();
  for (const Ruled& one : all)
    marks[one.mark.id] = {{"points", one.mark.points ? json(*one.mark.points) : json()},
                          {"pseudonym", one.mark.pseudonym},
                          {"slip_days", one.credit ? one.credit->slip_days : 0},
                          {"comment", one.mark.comment}};
  return {{"schema", "gpu-ladder-export/1"},
          {"assignment", assignment.name},
          {"due", course.timezone.text(assignment.due)},
          {"marks", marks}};
}

namespace {

/// What differs where the points do not: it decides what a person may still use, or what they read.
std::string changed_besides(const json& was, const json& mark) {
  if (!was.is_object()) return "";
  std::vector<std::string> all;
  const int days = was.value("slip_days", 0), now = mark.value("slip_days", 0);
  if (days != now) all.push_back(fmt::format("slip days {} → {}", days, now));
  if (was.value("pseudonym", "") != mark.value("pseudonym", "")) all.emplace_back("another attempt counts");
  return fmt::format("{}", fmt::join(all, "; "));
}

}  // namespace

std::vector<std::string> changes(const json& before, const json& now) {
  std::vector<std::string> lines;
  if (!before.is_object()) return lines;
  const auto text = [](const json& mark) {
    return mark.is_object() && mark.value("points", json()).is_number()
               ? grade::points_text(mark["points"].get<double>())
               : std::string("nothing");
  };
  const json old = before.value("marks", json::object());
  for (const auto& [id, mark] : now.at("marks").items()) {
    const json was = old.value(id, json());
    if (text(was) != text(mark))
      lines.push_back(
          fmt::format("{}: {} → {} points ({})", id, text(was), text(mark),
                      mark.value("comment", "").empty() ? "nothing counts" : mark.value("comment", "")));
    else if (const std::string other = changed_besides(was, mark); !other.empty())
      lines.push_back(fmt::format("{}: {} points as before; {}", id, text(mark), other));
  }
  for (const auto& [id, mark] : old.items())
    if (!now.at("marks").contains(id))
      lines.push_back(fmt::format("{}: {} → not on the roster", id, text(mark)));
  return lines;
}

}  // namespace ladder::course

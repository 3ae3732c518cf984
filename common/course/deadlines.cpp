#include "common/course/deadlines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/numbers.hpp"

namespace ladder::course {
namespace {

using std::chrono::seconds;

/// How many hours or days have begun after a moment.
int begun(sys_seconds after, sys_seconds moment, bool days, const TimeZone& zone) {
  if (moment <= after) return 0;
  const auto hours = std::chrono::ceil<std::chrono::hours>(moment - after).count();
  if (!days) return static_cast<int>(hours);
  int number = static_cast<int>((hours + 23) / 24);
  // Days of clocks have 23 to 25 hours where they are changed.
  while (number > 1 && moment <= zone.days_later(after, number - 1)) --number;
  while (moment > zone.days_later(after, number)) ++number;
  return number;
}

bool is_better(const Credit& a, const Credit& b, const std::vector<Attempt>& attempts) {
  if (a.points != b.points) return a.points > b.points;
  if (a.slip_days != b.slip_days) return a.slip_days < b.slip_days;
  return attempts[a.attempt].received < attempts[b.attempt].received;
}

/// The order of handing in; what has no time comes first.
bool is_later(const Credit& a, const Credit& b, const std::vector<Attempt>& attempts) {
  return std::pair(attempts[a.attempt].received, a.attempt) >
         std::pair(attempts[b.attempt].received, b.attempt);
}

}  // namespace

Credit credit_of_attempt(const Attempt& attempt, sys_seconds due, const Late& late, int slip_days,
                         const TimeZone& zone) {
  Credit credit{.points = attempt.points};
  if (!attempt.received) return credit;
  const sys_seconds end = late.grace.after(due, zone);
  if (*attempt.received <= end) return credit;
  credit.late = *attempt.received - end;
  if (late.by_platform) return credit;
  const int wanted = begun(end, *attempt.received, true, zone);
  credit.slip_days = std::min(wanted, slip_days);
  const sys_seconds moved = credit.slip_days > 0 ? zone.days_later(end, credit.slip_days) : end;
  if (const auto last = last_moment(due, late, credit.slip_days, zone); last && *attempt.received > *last) {
    credit.counts = false;
    credit.slip_days = 0;
    credit.points = 0;
    return credit;
  }
  const bool days = late.per_hour <= 0;
  credit.units = begun(moved, *attempt.received, days, zone);
  credit.taken = std::min(late.cap, credit.units * (days ? late.per_day : late.per_hour));
  credit.points = attempt.points * (1 - credit.taken);
  return credit;
}

Outcome credit_of_attempts(const std::vector<Attempt>& attempts, sys_seconds due, const Late& late,
                           int slip_days, const TimeZone& zone) {
  Outcome outcome;
  bool unknown_time = false, said_late = false;
  const bool has_active =
      std::any_of(attempts.begin(), attempts.end(), [](const Attempt& one) { return one.active; });
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    Credit credit = credit_of_attempt(attempts[i], due, late, slip_days, zone);
    credit.attempt = i;
    unknown_time = unknown_time || !attempts[i].received;
    said_late = said_late || (!attempts[i].received && attempts[i].said_late);
    outcome.all.push_back(credit);
    if (!credit.counts || (late.counts == Counts::active && has_active && !attempts[i].active)) continue;
    const bool takes =
        !outcome.counted || (late.counts == Counts::best ? is_better(credit, *outcome.counted, attempts)
                                                         : is_later(credit, *outcome.counted, attempts));
    if (takes) outcome.counted = credit;
  }
  if (unknown_time)
    outcome.note = fmt::format("when it was handed in is unknown{}: counted as in time",
                               said_late ? ", and the platform says late" : "");
  if (late.counts == Counts::active && !has_active && !attempts.empty())
    outcome.note +=
        fmt::format("{}no attempt is marked active: the last one counts", outcome.note.empty() ? "" : "; ");
  if (!outcome.counted && !attempts.empty())
    outcome.note += fmt::format("{}every attempt is after the last moment", outcome.note.empty() ? "" : "; ");
  return outcome;
}

std::optional<sys_seconds> last_moment(sys_seconds due, const Late& late, int slip_days,
                                       const TimeZone& zone) {
  if (!late.at_most || late.by_platform) return std::nullopt;
  const sys_seconds end = late.grace.after(due, zone);
  return late.at_most->after(slip_days > 0 ? zone.days_later(end, slip_days) : end, zone);
}

std::string last_moment_text(const Course& course, const Assignment& assignment) {
  const auto at = [&](int slip_days) {
    return course.timezone.text(*last_moment(assignment.due, course.late, slip_days, course.timezone));
  };
  if (!last_moment(assignment.due, course.late, 0, course.timezone)) return "";
  std::string text = fmt::format("The last attempt that counts for {}: {}", assignment.name, at(0));
  if (course.late.slip_days > 0)
    text += fmt::format("; at_most is counted after slip days, so for a person who has all {} left: {}",
                        course.late.slip_days, at(course.late.slip_days));
  return text;
}

std::string lateness_text(const Credit& credit, const Late& late) {
  if (credit.late.count() == 0) return "in time";
  const auto begun_hours = std::chrono::ceil<std::chrono::hours>(credit.late).count();
  std::string text = fmt::format(
      "{} late", begun_hours > 48 ? counted((begun_hours + 23) / 24, "day") : counted(begun_hours, "hour"));
  if (!credit.counts) return text + ", after the last moment: does not count";
  if (late.by_platform) return text + ", the platform takes points for it";
  if (credit.slip_days > 0) text += ", " + counted(credit.slip_days, "slip day");
  if (credit.taken > 0) text += fmt::format(", {:g} % taken", credit.taken * 100);
  return text;
}

sys_seconds due_for(const std::string& student, const Assignment& assignment, const Extensions& extensions) {
  const auto own = extensions.find({student, assignment.name});
  return own == extensions.end() ? assignment.due : own->second;
}

}  // namespace ladder::course

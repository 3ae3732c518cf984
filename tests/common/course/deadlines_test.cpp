/// @file
/// Deadlines: at the last second, one after, and where clocks are changed.
// Guards: docs/course.md#lateness

#include "common/course/deadlines.hpp"

#include "common/base/catch.hpp"
#include "common/base/error.hpp"
#include "common/course/times.hpp"

using namespace ladder;
using namespace ladder::course;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

const TimeZone zone("America/Chicago");

sys_seconds at_chicago(const std::string& text) {
  return time_of(text, [](ClockTime t) { return zone.moment(local_seconds(t.time_since_epoch())); }).value();
}

const sys_seconds due = at_chicago("2027-02-14 23:59");

Late daily() {
  return {.per_day = 0.1, .cap = 0.5, .at_most = Duration{10, {}}, .counts = Counts::best};
}

Credit credit(sys_seconds received, const Late& late, int slip_days = 0, sys_seconds deadline = due) {
  return credit_of_attempt({.id = "a", .received = received, .points = 10}, deadline, late, slip_days, zone);
}

Attempt handed(const char* id, sys_seconds received, double points, bool active = false) {
  return {.id = id, .received = received, .points = points, .active = active};
}

std::string counted(const std::vector<Attempt>& attempts, const Late& late, int slip_days = 0) {
  const Outcome outcome = credit_of_attempts(attempts, due, late, slip_days, zone);
  return outcome.counted ? attempts[outcome.counted->attempt].id : "none";
}

}  // namespace

TEST_CASE("the deadline is the last second that is in time") {
  CHECK(credit(due, daily()).late == seconds(0));
  CHECK(credit(due, daily()).points == 10);
  const Credit after = credit(due + seconds(1), daily());
  CHECK(after.late == seconds(1));
  CHECK(after.units == 1);
  CHECK(after.points == Approx(9));
}

TEST_CASE("each day that has begun costs, up to the cap") {
  CHECK(credit(due + hours(24), daily()).units == 1);
  CHECK(credit(due + hours(24) + seconds(1), daily()).units == 2);
  CHECK(credit(due + hours(24 * 7), daily()).points == Approx(5));  // 7 days, at most a half
}

TEST_CASE("each hour that has begun costs") {
  const Late hourly{.per_hour = 0.01};
  CHECK(credit(due + seconds(1), hourly).units == 1);
  CHECK(credit(due + hours(1), hourly).units == 1);
  CHECK(credit(due + hours(1) + seconds(1), hourly).units == 2);
  CHECK(credit(due + hours(200), hourly).points == 0);  // without a cap: never below 0
}

TEST_CASE("grace moves the deadline") {
  Late late = daily();
  late.grace = {0, minutes(15)};
  CHECK(credit(due + minutes(15), late).points == 10);
  CHECK(credit(due + minutes(15) + seconds(1), late).units == 1);
  CHECK(credit(due + minutes(15) + hours(24), late).units == 1);
}

TEST_CASE("after the last moment nothing counts") {
  Late late = daily();
  late.at_most = Duration{3, {}};
  CHECK(credit(due + hours(72), late).counts);
  const Credit after = credit(due + hours(72) + seconds(1), late);
  CHECK_FALSE(after.counts);
  CHECK(after.points == 0);
  CHECK(lateness_text(after, late) == "4 days late, after the last moment: does not count");
  // A slip day moves it, too; one that does not help is not used up.
  CHECK(credit(due + hours(72) + seconds(1), late, 1).counts);
  CHECK(credit(due + hours(97), late, 1).slip_days == 0);
}

TEST_CASE("the last moment is told as it is applied, with slip days and without") {
  Course course;
  course.timezone = zone;
  course.late = daily();
  course.late.grace = {0, minutes(15)};
  course.late.at_most = Duration{2, {}};
  Assignment hw;
  hw.name = "hw1", hw.due = due;
  CHECK(last_moment_text(course, hw) == "The last attempt that counts for hw1: 2027-02-17 00:14 CST");
  course.late.slip_days = 2;
  CHECK(last_moment_text(course, hw) ==
        "The last attempt that counts for hw1: 2027-02-17 00:14 CST; at_most is counted after slip days, so "
        "for a "
        "person who has all 2 left: 2027-02-19 00:14 CST");
  for (int days = 0; days <= 3; ++days) {
    const sys_seconds last = *last_moment(due, course.late, days, zone);
    CHECK(credit(last, course.late, days).counts);
    CHECK_FALSE(credit(last + seconds(1), course.late, days).counts);
  }
  course.late.at_most.reset();
  CHECK(last_moment_text(course, hw).empty());
}

TEST_CASE("where clocks are changed a day ends at the same time of day") {
  const sys_seconds spring = at_chicago("2027-03-13 23:59"), autumn = at_chicago("2027-11-06 23:59");
  CHECK(credit(at_chicago("2027-03-14 23:59:00"), daily(), 0, spring).units == 1);
  CHECK(credit(at_chicago("2027-03-14 23:59:01"), daily(), 0, spring).units ==
        2);  // 23 hours and a second later
  CHECK(credit(at_chicago("2027-11-07 23:59:00"), daily(), 0, autumn).units == 1);  // 25 hours later
  CHECK(credit(at_chicago("2027-11-07 23:59:01"), daily(), 0, autumn).units == 2);
  // Two weeks: the days before the change count as well.
  CHECK(credit(at_chicago("2027-03-20 23:59:01"), {.per_day = 0.01}, 0, spring).units == 8);
  // A deadline within the hour that is there twice.
  const sys_seconds first = at_chicago("2027-11-07 01:30:00-05:00");
  CHECK(credit(at_chicago("2027-11-07 01:30:00-05:00"), daily(), 0, first).points == 10);
  CHECK(credit(at_chicago("2027-11-07 01:30:00-06:00"), daily(), 0, first).late == hours(1));
}

TEST_CASE("slip days cost nothing") {
  const Credit one = credit(due + seconds(1), daily(), 4);
  CHECK(one.slip_days == 1);
  CHECK(one.points == 10);
  const Credit more = credit(due + hours(24 * 5), daily(), 4);
  CHECK(more.slip_days == 4);
  CHECK(more.units == 1);
  CHECK(lateness_text(more, daily()) == "5 days late, 4 slip days, 10 % taken");
  CHECK(credit(due, daily(), 4).slip_days == 0);
}

TEST_CASE("the last, the best or the active attempt counts") {
  Late late = daily();
  const std::vector<Attempt> attempts = {handed("a", due - hours(48), 6),
                                         handed("b", due - hours(24), 9, true),
                                         handed("c", due + hours(1), 9.5)};
  CHECK(counted(attempts, late) == "b");     // c has 8.55
  CHECK(counted(attempts, late, 1) == "c");  // a slip day, 9.5
  late.counts = Counts::last;
  CHECK(counted(attempts, late) == "c");
  late.at_most = Duration{};
  CHECK(counted(attempts, late) == "b");  // c is after the last moment
  late.counts = Counts::active;
  CHECK(counted(attempts, late) == "b");
  CHECK(counted({handed("a", due + seconds(1), 9)}, late) == "none");
  CHECK(counted({}, late) == "none");
  // Equal points: the one that uses no slip day, then the earlier one.
  late = daily();
  CHECK(counted({handed("a", due + hours(1), 9), handed("b", due, 9), handed("c", due - hours(1), 9)}, late,
                4) == "c");
}

TEST_CASE("what is unknown is said") {
  const Outcome outcome = credit_of_attempts({{.id = "a", .points = 7}}, due, daily(), 0, zone);
  CHECK(outcome.counted->points == 7);
  CHECK(outcome.note == "when it was handed in is unknown: counted as in time");
  CHECK(credit_of_attempts({{.id = "a", .points = 8, .said_late = true}}, due, daily(), 0, zone).note ==
        "when it was handed in is unknown, and the platform says late: counted as in time");
  Late late = daily();
  late.counts = Counts::active;
  CHECK(credit_of_attempts({handed("a", due, 7)}, due, late, 0, zone).note ==
        "no attempt is marked active: the last one counts");
  CHECK(credit_of_attempts({handed("a", due + hours(999), 7)}, due, daily(), 0, zone).note ==
        "every attempt is after the last moment");
}

TEST_CASE("where the platform takes points we take none") {
  const Credit late = credit(due + hours(30), {.by_platform = true}, 4);
  CHECK(late.points == 10);
  CHECK(late.late == hours(30));
  CHECK(late.slip_days == 0);
  CHECK(lateness_text(late, {.by_platform = true}) == "30 hours late, the platform takes points for it");
}

TEST_CASE("extensions are deadlines of single persons") {
  Course course;
  course.timezone = zone;
  course.assignments.emplace_back();
  course.assignments[0].name = "hw2";
  course.assignments[0].due = due;
  const auto said = [&](const std::string& rows) -> std::string {
    try {
      parse_extensions("student,assignment,until\n" + rows, "extensions.csv", course);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  const Extensions all =
      parse_extensions("student,assignment,until\nana,hw2,2027-02-17 23:59\n", "extensions.csv", course);
  CHECK(due_for("ana", course.assignments[0], all) == at_chicago("2027-02-17 23:59"));
  CHECK(due_for("ben", course.assignments[0], all) == due);
  CHECK(said("ana,hw3,2027-02-17 23:59\n") == "extensions.csv:2: unknown assignment 'hw3'; nearest: hw2");
  CHECK(said("ana,hw2,soon\n") == "extensions.csv:2: 'soon' is no time; write it as 2027-02-14 23:59");
  CHECK(said("ana,hw2,2027-02-14 23:59\n") ==
        "extensions.csv:2: 2027-02-14 23:59 CST is not after the deadline of hw2, 2027-02-14 23:59 CST");
  CHECK(said("ana,hw2,2027-02-17 23:59\nana,hw2,2027-02-18 23:59\n") ==
        "extensions.csv:3: ana has a deadline for hw2 already, in a line before: keep one of them");
  CHECK(said("ana,hw2,2027-03-14 02:30\n").find("does not exist in America/Chicago") != std::string::npos);
}

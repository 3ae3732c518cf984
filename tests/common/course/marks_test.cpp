/// @file
/// Points after deadlines: of records, people and the course file; and who changes when a deadline does.
// Guards: docs/course.md#lateness

#include "common/course/marks.hpp"

#include "common/base/catch.hpp"

using namespace ladder;
using namespace ladder::course;
using nlohmann::json;
using std::chrono::hours;

namespace {

model::GradeEntry a_step(const char* name, const char* part, double points, double most) {
  model::GradeEntry step;
  step.lesson = "03-dgemm", step.name = name, step.part = part;
  step.points = points, step.max_points = most;
  step.student.verdict = "PASS";
  return step;
}

/// A record with that many of 8 points in g1 and in g2.
model::GradeRecord a_record(const std::string& key, double g1, double g2) {
  model::GradeRecord record;
  record.pseudonym = "S-" + key, record.submission.name = key;
  record.steps = {a_step("g1_naive", "", g1, 8), a_step("g2_shared_tiles", "", g2, 8)};
  record.points = g1 + g2, record.max_points = 16;
  return record;
}

ImportedSubmission a_file(const std::string& key, std::vector<std::string> people,
                          std::optional<sys_seconds> received) {
  ImportedSubmission one;
  one.key = key;
  one.people = std::move(people);
  one.received = received;
  return one;
}

struct Class {
  Class() {
    course.timezone = TimeZone("America/Chicago");
    course.late = {.per_day = 0.1, .at_most = Duration{3, {}}, .slip_days = 2, .counts = Counts::best};
    Assignment& hw = course.assignments.emplace_back();
    hw.name = "hw2";
    hw.rungs = {{"03/g1", 10}, {"03/g2", 20}};
    hw.due = course.timezone.moment(std::chrono::local_days(std::chrono::year(2027) / 2 / 14) + hours(23));
    for (const char* id : {"ana", "ben", "cleo", "dan"}) {
      Person person;
      person.id = person.name = id;
      roster.push_back(person);
    }
    handed.all = {a_file("1", {"ana"}, hw.due - hours(5)), a_file("2", {"ana"}, hw.due + hours(1)),
                  a_file("3", {"ben", "cleo"}, hw.due + hours(30)), a_file("4", {}, hw.due)};
    records = {a_record("1", 8, 4), a_record("2", 8, 8), a_record("3", 8, 8), a_record("4", 8, 8)};
  }
  std::vector<Ruled> marks(const SlipDays& used = {}, const Extensions& extensions = {}) const {
    return ruled(course, course.assignments[0], extensions, roster, handed, records, used);
  }
  Course course;
  Roster roster;
  SubmissionImport handed;
  std::vector<model::GradeRecord> records;
};

}  // namespace

TEST_CASE("what Gradescope adds up are the points of the course file") {
  const Class all;
  Assignment hw = all.course.assignments[0];
  hw.private_tests.emplace().points = 4;
  hw.time.emplace().rungs = {"03/g1", "03/g2"};
  hw.time->points = 6;
  model::GradeRecord record = a_record("1", 8, 4);
  record.steps.push_back(a_step("g2_shared_tiles", "time", 1, 2));
  record.steps.push_back(a_step("g1_naive", "private part", 1, 2));
  record.steps.push_back(a_step("g2_shared_tiles", "private part", 2, 6));
  record.steps.push_back(a_step("g9_other", "", 1, 3));
  record.open.push_back({"time", 2, ""});
  const model::GradeRecord scaled = in_points_of(hw, record);
  const auto step = [&](std::size_t i) {
    return std::pair(*scaled.steps[i].points, *scaled.steps[i].max_points);
  };
  CHECK(step(0) == std::pair(10.0, 10.0));
  CHECK(step(1) == std::pair(10.0, 20.0));
  CHECK(step(2) == std::pair(1.5, 3.0));
  CHECK(step(3) == std::pair(0.5, 1.0));
  CHECK(step(4) == std::pair(1.0, 3.0));
  CHECK(step(5) == std::pair(1.0, 3.0));  // the assignment does not name it
  CHECK(scaled.points == 24);
  CHECK(scaled.max_points == 40);
  CHECK(scaled.open[0].points == 6);
  const Counted sum = counted(hw, record);  // the same, by another way
  CHECK(sum.points == 23);
  CHECK(in_points_of({}, record).points == Approx(17));
}

TEST_CASE("a rung's points are scaled to those of the course file") {
  const Class all;
  Assignment hw = all.course.assignments[0];
  CHECK(counted(hw, a_record("1", 8, 4)).points == Approx(20));
  CHECK(counted(hw, a_record("1", 8, 4)).most == 30);
  hw.private_tests.emplace().points = 4;
  hw.time.emplace().rungs = {"03/g1", "03/g2"};
  hw.time->points = 6;
  hw.manual.push_back({.rung = "03/g1", .ask = "Why?", .points = 2});
  model::GradeRecord record = a_record("1", 8, 8);
  CHECK(counted(hw, record).open ==
        std::vector<std::string>{"time of 03/g1, 3 points", "time of 03/g2, 3 points",
                                 "private part, 4 points", "questions, 2 points"});
  CHECK(counted(hw, record).most == 30);  // what is open is no 0
  record.steps.push_back(a_step("g1_naive", "private part", 1, 2));
  record.steps.push_back(a_step("g2_shared_tiles", "private part", 2, 2));
  record.steps.push_back(a_step("g2_shared_tiles", "time", 1, 4));
  CHECK(counted(hw, record).points == Approx(30 + 3 + 0.75));
  CHECK(counted(hw, record).most == 37);
}

TEST_CASE("each person gets the attempt that counts, after what lateness takes") {
  const Class all;
  const auto marks = all.marks();
  REQUIRE(marks.size() == 4);
  CHECK(marks[0].mark.pseudonym == "S-2");  // late, but a slip day makes it the better one
  CHECK(*marks[0].mark.points == Approx(30));
  CHECK(marks[0].credit->slip_days == 1);
  CHECK(*marks[1].mark.points == Approx(30));  // two people of one submission
  CHECK(*marks[2].mark.points == Approx(30));
  CHECK_FALSE(marks[3].mark.points);  // nothing handed in is no 0
  const auto without = all.marks({{"ana", 2}, {"ben", 1}});
  CHECK(*without[0].mark.points == Approx(27));
  CHECK(*without[1].mark.points == Approx(27));
  CHECK(*without[2].mark.points == Approx(30));
  CHECK(without[1].mark.comment == "30 of 30 points; 30 hours late, 1 slip day, 10 % taken");
}

TEST_CASE("a changed deadline is computed again, and says who changes") {
  Class all;
  all.course.late.slip_days = 0;
  const Assignment& hw = all.course.assignments[0];
  const json before = kept(all.marks(), all.course, hw);
  CHECK(changes(before, before).empty());
  CHECK(changes(json(), before).empty());  // the first export
  const Extensions extension = {{{"cleo", "hw2"}, hw.due + hours(48)}};
  CHECK(changes(before, kept(all.marks({}, extension), all.course, hw)) ==
        std::vector<std::string>{"cleo: 24 → 30 points (30 of 30 points; in time)"});
  all.course.assignments[0].due -= hours(72);
  const auto lines = changes(before, kept(all.marks(), all.course, hw));
  CHECK(lines ==
        std::vector<std::string>{
            "ana: 27 → 14 points (20 of 30 points; 3 days late, 30 % taken)",
            "ben: 24 → 0 points (30 of 30 points; 5 days late, after the last moment: does not count)",
            "cleo: 24 → 0 points (30 of 30 points; 5 days late, after the last moment: does not count)"});
}

TEST_CASE("slip days and attempts that change without the points are said, too") {
  Class all;
  const Assignment& hw = all.course.assignments[0];
  const json before = kept(all.marks(), all.course, hw);
  const Extensions extension = {{{"ben", "hw2"}, hw.due + hours(48)}};
  CHECK(changes(before, kept(all.marks({}, extension), all.course, hw)) ==
        std::vector<std::string>{"ben: 30 points as before; slip days 2 → 0"});
  all.records[0] = a_record("1", 8, 8);  // ana's first attempt is as good now, and needs no slip day
  CHECK(changes(before, kept(all.marks(), all.course, hw)) ==
        std::vector<std::string>{"ana: 30 points as before; slip days 1 → 0; another attempt counts"});
}

TEST_CASE("what people have taken off is said in the points of the course file") {
  const Class all;
  const Assignment& hw = all.course.assignments[0];  // 03/g1: 10 for 8
  model::GradeRecord record = a_record("1", 6, 8);
  record.steps[0].student = {"DEDUCTED", "2 points: late answer"};
  record.decisions = {
      {.step = "03-dgemm/g1_naive", .action = "deduct", .reason = "late answer", .points = 2}};
  record.steps[1].amendment = model::Amendment{.points = 4, .before = {.points = 2, .max_points = 8}};
  const model::GradeRecord scaled = in_points_of(hw, record);
  CHECK(scaled.steps[0].student.message == "2.5 points: late answer");
  CHECK(scaled.steps[1].amendment->points == 10);
  CHECK(scaled.steps[1].amendment->before.max_points == 20);
}

TEST_CASE("without a platform each submission is a person, and its time is unknown") {
  Class all;
  Roster roster;
  SubmissionImport handed;
  people_of_records(all.records, roster, handed);
  const auto marks = ruled(all.course, all.course.assignments[0], {}, roster, handed, all.records, {});
  CHECK(*marks[0].mark.points == Approx(20));
  CHECK(marks[0].note == "when it was handed in is unknown: counted as in time");
  const std::string table = ruled_table(marks, all.course, roster, {.separator = ',', .bom = false});
  CHECK(table.find("1,1,S-1,20,30,20,in time,0,unknown,1,,") != table.npos);
}

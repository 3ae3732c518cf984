/// @file
/// What a person reads of a published grade: the same points as the table, on the page and for Gradescope,
/// with rungs that have their own points and with such that are scaled.
// Guards: docs/grading.md#who-reads-what, docs/instructor.md#publishing

#include "common/course/published.hpp"

#include "common/grade/record.hpp"
#include "tests/common/catch.hpp"

using namespace ladder::course;
namespace model = ladder::model;
using ladder::test::contains;
using nlohmann::json;
using std::chrono::hours;

namespace {

model::GradeRecord late_record(const std::string& key, double g1) {
  model::GradeRecord record = ladder::grade::new_record({"S-" + key, key, "2027-02-18T05:14:00Z", 1}, {},
                                                        {.sandbox = "bwrap", .key_id = "01"});
  const auto add = [&](ladder::Verdict verdict, double points, double most, const char* part,
                       std::vector<ladder::grade::Open> open) {
    model::GradedResult result;
    result.lesson = "03-dgemm", result.name = "g1_naive", result.file = "g1_naive.cu";
    result.verdict = verdict, result.message = "said";
    result.points = points, result.max_points = most;
    ladder::grade::add_step(record, {result, *part ? "final" : "instant", part, most, std::move(open)});
  };
  add(ladder::Verdict::missed, g1, 8, "", {{"private part", 3, "after the deadline"}});
  add(ladder::Verdict::pass, 3, 3, "private part", {});
  return record;
}

/// g1, three days late with a slip day, the third of three attempts; downloaded twice.
struct Thrice {
  explicit Thrice(double rung, double tests) {
    course.timezone = TimeZone("America/Chicago");
    course.late = {.per_day = 0.1, .slip_days = 1, .counts = Counts::last};
    Assignment& hw = course.assignments.emplace_back();
    hw.name = "hw1";
    hw.rungs = {{"03/g1", rung}};
    hw.private_tests.emplace().points = tests;
    hw.due = course.timezone.moment(std::chrono::local_days(std::chrono::year(2027) / 2 / 14) + hours(23));
    Person person;
    person.id = person.name = "ana";
    roster.push_back(person);
    const auto add = [&](const char* key, sys_seconds when, const char* sum, double g1) {
      handed.all.push_back(
          {.key = key, .platform = "gradescope", .people = {"ana"}, .path = {}, .received = when});
      records.push_back(late_record(key, g1));
      records.back().submission.sha256 = sum;
    };
    add("1", hw.due - hours(5), "a", 2);
    add("2", hw.due - hours(2), "b", 4);
    add("3", hw.due + hours(72), "c", 6);
    add("later~3", hw.due + hours(72), "c", 6);
  }
  const Assignment& hw() const { return course.assignments[0]; }
  Ruled one() const { return ruled(course, hw(), {}, roster, handed, records, {})[0]; }
  Course course;
  Roster roster;
  SubmissionImport handed;
  std::vector<model::GradeRecord> records;
};

}  // namespace

TEST_CASE("a person's page says the points of the table, scaled and after lateness, on the course's clocks") {
  const Thrice late(10, 6);
  const Ruled one = late.one();
  CHECK(*one.mark.points == Approx(0.8 * (7.5 + 6)));
  const model::StudentView view = published_view(late.course, late.hw(), one, late.records[3]);
  CHECK(view.total == "10.8 of 16");
  const model::Publication& said = view.published.value();
  CHECK(said.judged == "13.5 of 16");
  CHECK(said.lateness == "3 days late, 1 slip day, 20 % taken");
  CHECK(said.received == "2027-02-17 23:00 CST");
  CHECK(said.due == "2027-02-14 23:00 CST");
  CHECK(said.attempt == 3);
  CHECK(said.attempts == 3);  // what two downloads have is one
  CHECK(view.steps[0].points == 7.5);
  CHECK(view.steps[0].own->points == 6);
  CHECK(view.steps[0].own->max_points == 8);
  CHECK(view.submission.name.empty());
}

TEST_CASE("points by the rung are published as they are") {
  const Thrice late(8, 3);
  const model::StudentView view = published_view(late.course, late.hw(), late.one(), late.records[3]);
  CHECK(view.total == "7.2 of 11");
  CHECK_FALSE(view.steps[0].own);
}

TEST_CASE("what is open, too late, unknown or provisional is on the published page") {
  Thrice late(10, 6);
  for (model::GradeRecord& record : late.records) record.steps.pop_back();
  CHECK(published_view(late.course, late.hw(), late.one(), late.records[3]).total ==
        "6 of 10; not counted yet: private part, 6 points");
  late.course.late.at_most = Duration{1, {}};
  late.handed.all.erase(late.handed.all.begin(), late.handed.all.begin() + 2);
  const model::StudentView none = published_view(late.course, late.hw(), late.one(), late.records[3]);
  CHECK(none.total == "0 of 10; not counted yet: private part, 6 points");
  CHECK(none.published->lateness == "3 days late, after the last moment: does not count");
  for (ImportedSubmission& one : late.handed.all) one.received.reset();
  late.records[3].steps[0].student.verdict = "PROVISIONAL";
  const model::StudentView unknown = published_view(late.course, late.hw(), late.one(), late.records[3]);
  CHECK(unknown.published->received == "not known; counted as in time");
  CHECK(unknown.published->lateness == "");
  CHECK(contains(unknown.total, "7.5 of 10; not counted yet: private part, 6 points; provisional"));
}

TEST_CASE("Gradescope's score is what is published, private tests and lateness in it") {
  const Thrice late(10, 6);
  const json results = to_json(published_results(late.course, late.hw(), late.one(), late.records[3]));
  CHECK(results["score"] == Approx(10.8));  // it counts instead of the sum of the tests
  REQUIRE(results["tests"].size() == 2);
  CHECK(results["tests"][0]["max_score"] == 10);
  CHECK(results["tests"][1]["score"] == 6);
  CHECK(results["output"] ==
        "Published: 10.8 of 16. Judged: 13.5 of 16; 3 days late, 1 slip day, 20 % taken. Received 2027-02-17 "
        "23:00 "
        "CST, due 2027-02-14 23:00 CST. Attempt 3 of 3.");
}

/// @file
/// Records as Gradescope's results.json and Classroom 50's result.json: what is open has no score, and
/// private points stand apart.
// Guards: docs/grading.md#platforms-in-and-out

#include "common/course/platforms/gradebook.hpp"
#include "common/grade/record.hpp"
#include "tests/common/catch.hpp"

using namespace ladder::course;
using ladder::grade::Open;
using ladder::test::contains;
using nlohmann::json;

namespace {

ladder::model::GradeRecord record_of(const std::vector<ladder::grade::StepGrade>& steps) {
  auto record = ladder::grade::new_record({"S-ABCDEFGH", "Anna Schmidt.zip", "2027-02-14T22:10:00Z", 1}, {},
                                          {.sandbox = "bwrap", .machine = {{"cpu", "x"}}, .key_id = "01"});
  for (const auto& step : steps) ladder::grade::add_step(record, step);
  return record;
}

ladder::grade::StepGrade step(const std::string& name, const std::string& verdict, double points, double most,
                              const std::string& part = "", std::vector<Open> open = {}) {
  ladder::model::GradedResult result;
  result.lesson = "03-dgemm", result.name = name, result.file = name + ".cu";
  result.verdict = *ladder::verdict_of(verdict), result.message = "said";
  result.points = points, result.max_points = most;
  return {result, part.empty() ? "instant" : "final", part, most, std::move(open)};
}

const json& test_named(const json& results, const std::string& name) {
  for (const json& test : results["tests"])
    if (test["name"] == name) return test;
  FAIL("no test " << name << " in " << results.dump(1));
  return results;
}

double sum(const json& results, const char* field) {
  double all = 0;
  for (const json& test : results["tests"]) all += test.value(field, 0.0);
  return all;
}

const std::vector<Open> later = {{"private part", 8, "after 2027-02-14 23:59"},
                                 {"time", 1, "when it is measured"}};

}  // namespace

TEST_CASE("Gradescope: scores of what is judged, no score of what is open, nothing hidden") {
  const auto record =
      record_of({step("g1_naive", "PASS", 8, 8, "", later), step("g2_shared_tiles", "MISSED", 4.5, 8),
                 step("g3_register_tiles", "NOT RUN", 0, 8), step("g4_vector_loads", "SKIPPED", 0, 0)});
  const json results = to_json(gradescope_results(record));
  CHECK(results["visibility"] == "visible");
  CHECK_FALSE(results.contains("score"));  // it would override the tests
  CHECK(sum(results, "score") == 12.5);
  CHECK(sum(results, "max_score") == 16);
  CHECK(test_named(results, "03/g1 g1_naive")["status"] == "passed");
  CHECK_FALSE(test_named(results, "03/g2 g2_shared_tiles").contains("status"));
  for (const char* name : {"private part, open", "time, open", "03-dgemm/g3_register_tiles, open",
                           "03/g3 g3_register_tiles", "03/g4 g4_vector_loads"}) {
    CHECK_FALSE(test_named(results, name).contains("score"));
    CHECK_FALSE(test_named(results, name).contains("max_score"));
  }
  CHECK(contains(test_named(results, "private part, open")["output"],
                 "8 points, opens after 2027-02-14 23:59"));
  for (const json& test : results["tests"]) CHECK(test["visibility"] == "visible");
  CHECK(contains(results["output"], "visible part 12.5 of 16"));
  CHECK_FALSE(contains(results.dump(), "Schmidt"));
  CHECK(gradescope_results(record_of({})).score == 0);
}

TEST_CASE("Gradescope: judged private points are in results of their own") {
  const auto record =
      record_of({step("g1_naive", "PASS", 8, 8, "", {later[0]}),
                 step("g1_naive", "WRONG", 2, 8, "private part"), step("g1_naive", "PASS", 1, 1, "time")});
  CHECK(has_private_part(record));
  const json visible = to_json(gradescope_results(record)),
             apart = to_json(gradescope_results(record, Part::private_part));
  CHECK(sum(visible, "score") == 9);
  CHECK(sum(visible, "max_score") == 9);
  CHECK(visible["tests"].size() == 2);
  CHECK(visible["output"] == "visible part 9 of 9; the private part is an assignment of its own");
  CHECK(apart["tests"].size() == 1);
  CHECK(test_named(apart, "03/g1 g1_naive, private part")["score"] == 2);
  CHECK(test_named(apart, "03/g1 g1_naive, private part")["output"] ==
        "WRONG");  // of private tests the verdict only
  CHECK(apart["output"] == "private part 2 of 8");
}

TEST_CASE("what a person has to look at is provisional for students on each platform") {
  const auto record = record_of({step("g1_naive", "REJECTED", 8, 8)});
  const json results = to_json(gradescope_results(record)), test = test_named(results, "03/g1 g1_naive");
  CHECK(test["output"] == "PROVISIONAL: a person looks at this; points provisional");
  CHECK(test["score"] == 8);
  CHECK_FALSE(contains(results.dump() + classroom50_result(record, {}).dump(), "REJECTED"));
}

TEST_CASE("Classroom 50: whole scores, their sums, and the fields of its contract") {
  const auto record =
      record_of({step("g1_naive", "PASS", 8, 8, "", later), step("g2_shared_tiles", "MISSED", 4.505, 8),
                 step("g3_register_tiles", "NOT RUN", 0, 8), step("g1_naive", "PASS", 8, 8, "private part")});
  const json result = classroom50_result(record, {"gpu", "hw2", "submit/2027-02-14T22-10-00Z-a1b2c3d",
                                                  "https://c", "https://r", "", "2027-02-14T22:10:00Z"});
  CHECK(result["schema"] == "classroom50/result/v1");
  for (const char* field :
       {"classroom", "assignment", "submission", "commit", "release", "review", "datetime"}) {
    REQUIRE(result[field].is_string());
    CHECK_FALSE(result[field].get<std::string>().empty());
  }
  CHECK(result["review"] == "https://c");
  REQUIRE(result["tests"].size() == 2);
  long score = 0, most = 0;
  for (const json& test : result["tests"]) {
    for (const char* field : {"score", "max-score"}) CHECK(test[field].is_number_integer());
    CHECK(test["test-name"].is_string());
    CHECK(test["passed"].is_boolean());
    score += test["score"].get<long>(), most += test["max-score"].get<long>();
  }
  CHECK(result["tests"][1]["score"] == 451);
  CHECK(result["score"] == score);
  CHECK(result["max-score"] == most);
  CHECK(result["max-score"] == 1600);
}

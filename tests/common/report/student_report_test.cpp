/// @file
/// The student's report: numbers next to the reference's, what changed, what is missing and why; what limits
/// a run.
// Guards: docs/student.md#your-ladder-on-one-page-report

#include "common/report/html/student_report.hpp"

#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using ladder::test::document_of;
using ladder::test::has;
using nlohmann::json;

namespace {

json step_of(const std::string& name, double ratio) {
  return {{"name", name},
          {"verdict", "PASS"},
          {"backend", "executor"},
          {"device", "executor"},
          {"points", 4.0},
          {"max_points", 8.0},
          {"targets",
           {{{"metric", "sectors"},
             {"relation", "<="},
             {"bound", 1.1},
             {"measured", ratio},
             {"amount", 1000 * ratio},
             {"verdict", "PASS"}}}}};
}

StudentReport sample_report(double ratio) {
  StudentReport report;
  report.place = "a laptop, 2026-01-02";
  report.document =
      document_of({{"lessons",
                    {{{"name", "03-dgemm"},
                      {"title", "Products <of> matrices"},
                      {"steps", {step_of("g1_naive", ratio), {{"name", "g2_shared_tiles"}}}}}}}});
  report.states = {{"03-dgemm/g1_naive", "PASS"}, {"03-dgemm/g2_shared_tiles", "not started"}};
  return report;
}

}  // namespace

TEST_CASE("own report: numbers, what is not there and why, and no script") {
  StudentReport report = sample_report(1.5);
  std::string page = student_report(report);
  CHECK(has(page, "Products &lt;of&gt; matrices"));
  CHECK(has(page, "1,500 (1.50x)"));
  CHECK(has(page, "not measured yet"));  // the reference
  CHECK(has(page, "needs a GPU"));
  CHECK(has(page, "not timed yet"));
  CHECK(has(page, "No roofline yet"));
  CHECK(has(page, "No timeline yet"));
  CHECK(has(page, "Empty: no stored run has a t rung yet."));
  CHECK(has(page, "This is the first report"));
  CHECK_FALSE(has(page, "<script"));
  CHECK_FALSE(has(page, "src="));  // it loads nothing
  CHECK_FALSE(has(page, "<link"));
  CHECK(has(page, "@media print"));
  StoredMachine machine{.folder = "h200", .name = "NVIDIA H200"};
  json top = step_of("t1_tensor", 1);
  top["time"] = {
      {"median", 0.002}, {"low", 0.0019}, {"high", 0.0021}, {"runs", 15}, {"problem", {{"n", 64}}}};
  top["lesson"] = "03-dgemm";
  machine.run = StoredDocument{};
  machine.run->results =
      document_of({{"lessons", {{{"name", "03-dgemm"}, {"steps", {step_of("g1_naive", 1.25), top}}}}}});
  report.stored = {machine};
  report.profiles["03-dgemm/g1_naive"] = {{"problem", "n = 64"},
                                          {"limit", "sectors through L1."},
                                          {"device", "NVIDIA H200"},
                                          {"operations", 5e5},
                                          {"intensity", 0.5},
                                          {"peak", 3e13},
                                          {"l1", 3e13},
                                          {"memory", 4e12}};
  page = student_report(report);
  CHECK(has(page, "1,250 (1.25x)"));
  CHECK(has(page, "What limits it: sectors through L1."));
  CHECK(has(page, "03-dgemm on NVIDIA H200: g1 may reach 50 % of the FP64 peak"));
  CHECK(has(page, "03/t1"));
  CHECK_FALSE(has(page, "No roofline yet"));
  // The leaderboard shows a share of a ceiling that is near enough to say something.
  for (const auto& [seconds, share] : {std::pair{0.0004, true}, {0.00001, false}}) {
    top["backend"] = "cuda";
    top["time"]["work"] = {{"unit", "flop"}, {"amount", 1e9}, {"ceiling", "FP64"}, {"seconds", seconds}};
    report.stored[0].run->results = document_of({{"lessons", {{{"name", "03-dgemm"}, {"steps", {top}}}}}});
    const std::string with = student_report(report);
    CHECK(has(with, "20 % of the FP64 peak") == share);
    CHECK_FALSE(has(with, "0.5 % of"));
  }
  report.document.lessons[0].steps[0].points = 7.96;
  CHECK(has(student_report(report), "7.96 of 8"));
}

TEST_CASE("own report: what has changed since the last one") {
  const ladder::model::ReportedSteps before = report_state(sample_report(1.5));
  CHECK(report_changes(before, before).empty());
  StudentReport better = sample_report(1);
  better.states["03-dgemm/g2_shared_tiles"] = "MISSED";
  better.document.lessons[0].steps[0].points = 7.96;
  const auto changes = report_changes(before, report_state(better));
  REQUIRE(changes.size() == 2);
  CHECK(changes[0] == "03/g1: 7.96 points, were 4. sectors 1x, was 1.50x.");
  CHECK(changes[1] == "03/g2: MISSED, was not started.");
}

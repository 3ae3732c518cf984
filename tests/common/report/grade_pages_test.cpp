/// @file
/// A student's page of a grade: what it says of a step beside its message.
// Guards: docs/grading.md#who-reads-what

#include "common/report/grade_pages.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/report/text.hpp"

using nlohmann::json;

namespace {

/// The page of a submission with one step, as a student's view has it, with these fields more.
std::string page_with(const json& more = json::object()) {
  json step = {{"lesson", "01-lu"},
               {"name", "g2_branch_removal"},
               {"file", "g2_branch_removal.cpp"},
               {"phase", "instant"},
               {"points", 8},
               {"max_points", 8},
               {"open_points", 0},
               {"student", {{"verdict", "PASS"}, {"message", "right in all 7 classes"}}},
               {"runs", {"PASS"}}};
  step.update(more);
  return ladder::report::student_page({{"pseudonym", "S-ABCDEFGH"},
                                       {"sandbox", "bwrap"},
                                       {"points", 8},
                                       {"max_points", 8},
                                       {"open", json::array()},
                                       {"submission", {{"attempt", 1}, {"received", ""}}},
                                       {"steps", {step}}});
}

}  // namespace

TEST_CASE("A student's page says how often a step was run whose threads decide what comes first") {
  CHECK(has(page_with({{"right_runs", 3}}), "right in 3 runs on the same inputs"));
  CHECK_FALSE(has(page_with(), "same inputs"));
  CHECK(has(page_with({{"runs", {"PASS", "WRONG", "WRONG"}}}), "PASS, WRONG, WRONG"));
}

TEST_CASE("A student's page has a counter that is perfect, 0") {
  const json target = {{"metric", "branches"}, {"verdict", "PASS"}, {"relation", "<="}, {"bound", 0.1},
                       {"measured", 0},        {"points", 4},       {"max_points", 4}};
  CHECK(has(page_with({{"targets", {target}}}), "branches"));
}

TEST_CASE("A student's page does not say that all is right of a step that is wrong elsewhere") {
  const json cases = {{{"class", "tails"}, {"passed", 3}, {"of", 3}}};
  CHECK(has(page_with({{"cases", cases}}), "All 3 cases of 1 class are right."));
  const json wrong = {{"verdict", "WRONG"}, {"message", "n = 768: 5 wrong"}};
  CHECK(has(page_with({{"cases", cases}, {"student", wrong}}), "are right; what is wrong is said above."));
}

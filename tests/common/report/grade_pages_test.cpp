/// @file
/// A student's page of a grade: what it says of a step next to its message.
// Guards: docs/grading.md#who-reads-what

#include "common/report/html/grade_pages.hpp"
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

TEST_CASE("A student's page says how often a rung was run whose threads decide what comes first") {
  CHECK(has(page_with({{"right_runs", 3}}), "right in 3 runs on the same inputs"));
  CHECK_FALSE(has(page_with(), "same inputs"));
  CHECK(has(page_with({{"runs", {"PASS", "WRONG", "WRONG"}}}), "PASS, WRONG, WRONG"));
}

TEST_CASE("A student's page has a counter that is perfect, 0") {
  const json target = {{"metric", "branches"}, {"verdict", "PASS"}, {"relation", "<="}, {"bound", 0.1},
                       {"measured", 0},        {"points", 4},       {"max_points", 4}};
  CHECK(has(page_with({{"targets", {target}}}), "branches"));
}

TEST_CASE("A student's page does not say that all is right of a rung that is wrong elsewhere") {
  const json cases = {{{"class", "tails"}, {"passed", 3}, {"of", 3}}};
  CHECK(has(page_with({{"cases", cases}}), "All 3 cases of 1 class are right."));
  const json wrong = {{"verdict", "WRONG"}, {"message", "n = 768: 5 wrong"}};
  CHECK(has(page_with({{"cases", cases}, {"student", wrong}}), "are right; what is wrong is said above."));
}

TEST_CASE("A student's page has one rounding of points: 3.97 is 3.97 in heading, table and figure") {
  const json target = {{"metric", "sectors"}, {"verdict", "MISSED"}, {"relation", "<="}, {"bound", 1.1},
                       {"measured", 1.12},    {"points", 3.966},     {"max_points", 4}};
  const std::string page = page_with({{"targets", json::array({target})}, {"points", 7.966}});
  CHECK(has(page, "7.97 of 8 points"));
  CHECK(has(page, "3.97 of 4"));
  CHECK(has(page, "sectors: 3.97 of 4 points"));
  CHECK_FALSE(has(page, "3.9 of"));
  // Less than all is never written as all.
  const json nearly = {{"metric", "sectors"}, {"verdict", "MISSED"}, {"relation", "<="}, {"bound", 1.1},
                       {"measured", 1.1001},  {"points", 3.999},     {"max_points", 4}};
  CHECK(has(page_with({{"targets", json::array({nearly})}}), "sectors: 3.99 of 4 points"));
}

TEST_CASE("Long lines of a source wrap, on a screen and on paper, and nothing is cut") {
  const std::string page = page_with({{"amendment", {{"points", 1}, {"diff", "+" + std::string(300, 'x')}}}});
  CHECK(has(page, std::string(300, 'x')));
  for (const char* cuts :
       {"white-space:pre}", "white-space:pre;", "width:max-content}", "width:max-content;min-width"})
    CHECK_FALSE(has(page, cuts));
  CHECK(has(page,
            ".code li{padding:0 .6rem 0 4.2em;text-indent:-4.2em;border-left:4px solid "
            "transparent;white-space:pre-wrap;overflow-wrap:anywhere}"));
}

TEST_CASE("A student's page says what else was in the submission where nothing was taken for a rung") {
  const auto page = [](const json& submission) {
    return ladder::report::student_page({{"pseudonym", "S-ABCDEFGH"},
                                         {"sandbox", "bwrap"},
                                         {"points", 0},
                                         {"max_points", 8},
                                         {"open", json::array()},
                                         {"submission", submission},
                                         {"steps", json::array()}});
  };
  const json missing = json::array({"03-dgemm/g1_naive.cu"}),
             contained = json::array({"resposta.docx", "<b>.txt"});
  CHECK(has(page({{"missing", missing}, {"contained", contained}}), "resposta.docx, &lt;b&gt;.txt"));
  CHECK_FALSE(has(page({{"contained", contained}}), "resposta.docx"));  // all was taken that was asked for
}

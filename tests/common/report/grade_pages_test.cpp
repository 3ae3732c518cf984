/// @file
/// A student's page of a grade: what it says of a step next to its message.
// Guards: docs/grading.md#who-reads-what

#include "common/report/html/grade_pages.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/text.hpp"

using ladder::Verdict;
using ladder::model::StudentStep;
using ladder::model::StudentView;
using ladder::model::Target;
using ladder::test::has;

namespace {

StudentView a_view() {
  return {.pseudonym = "S-ABCDEFGH", .sandbox = "bwrap", .points = 8, .max_points = 8};
}

/// The page of a submission with one step, as a student's view has it, after a change.
template <class Change>
std::string page_with(Change change) {
  StudentStep step{.lesson = "01-lu",
                   .name = "g2_branch_removal",
                   .file = "g2_branch_removal.cpp",
                   .phase = "instant",
                   .points = 8,
                   .max_points = 8,
                   .student = {"PASS", "right in all 7 classes"},
                   .runs = {"PASS"}};
  change(step);
  StudentView view = a_view();
  view.steps = {step};
  return ladder::report::student_page(view);
}

Target a_target(const char* metric, Verdict verdict, double bound, double measured, double points) {
  return {.metric = metric,
          .relation = "<=",
          .bound = bound,
          .measured = measured,
          .verdict = verdict,
          .points = points,
          .max_points = 4};
}

}  // namespace

TEST_CASE("A student's page says how often a rung was run whose threads decide what comes first") {
  CHECK(has(page_with([](StudentStep& step) { step.right_runs = 3; }), "right in 3 runs on the same inputs"));
  CHECK_FALSE(has(page_with([](StudentStep&) {}), "same inputs"));
  CHECK(has(page_with([](StudentStep& step) {
              step.runs = {"PASS", "WRONG", "WRONG"};
            }),
            "PASS, WRONG, WRONG"));
}

TEST_CASE("A student's page has a counter that is perfect, 0") {
  const Target target = a_target("branches", Verdict::pass, 0.1, 0, 4);
  CHECK(has(page_with([&](StudentStep& step) { step.targets = {target}; }), "branches"));
}

TEST_CASE("A student's page does not say that all is right of a rung that is wrong elsewhere") {
  CHECK(has(page_with([](StudentStep& step) {
              step.cases = {{"tails", 3, 3}};
            }),
            "All 3 cases of 1 class are right."));
  CHECK(has(page_with([](StudentStep& step) {
              step.cases = {{"tails", 3, 3}};
              step.student = {"WRONG", "n = 768: 5 wrong"};
            }),
            "are right; what is wrong is said above."));
}

TEST_CASE("A student's page has one rounding of points: 3.97 is 3.97 in heading, table and figure") {
  const std::string page = page_with([](StudentStep& step) {
    step.targets = {a_target("sectors", Verdict::missed, 1.1, 1.12, 3.966)};
    step.points = 7.966;
  });
  CHECK(has(page, "7.97 of 8 points"));
  CHECK(has(page, "3.97 of 4"));
  CHECK(has(page, "sectors: 3.97 of 4 points"));
  CHECK_FALSE(has(page, "3.9 of"));
  // Less than all is never written as all.
  CHECK(has(page_with([](StudentStep& step) {
              step.targets = {a_target("sectors", Verdict::missed, 1.1, 1.1001, 3.999)};
            }),
            "sectors: 3.99 of 4 points"));
}

TEST_CASE("Long lines of a source wrap, on a screen and on paper, and nothing is cut") {
  const std::string page = page_with(
      [](StudentStep& step) { step.amendment = {.diff = "+" + std::string(300, 'x'), .points = 1}; });
  CHECK(has(page, std::string(300, 'x')));
  for (const char* cuts :
       {"white-space:pre}", "white-space:pre;", "width:max-content}", "width:max-content;min-width"})
    CHECK_FALSE(has(page, cuts));
  CHECK(has(page,
            ".code li{padding:0 .6rem 0 4.2em;text-indent:-4.2em;border-left:4px solid "
            "transparent;white-space:pre-wrap;overflow-wrap:anywhere}"));
}

TEST_CASE("A student's page says what else was in the submission where nothing was taken for a rung") {
  StudentView view = a_view();
  view.submission.contained = {"resposta.docx", "<b>.txt"};
  CHECK_FALSE(has(ladder::report::student_page(view), "resposta.docx"));  // all was taken that was asked for
  view.submission.missing = {"03-dgemm/g1_naive.cu"};
  CHECK(has(ladder::report::student_page(view), "resposta.docx, &lt;b&gt;.txt"));
}

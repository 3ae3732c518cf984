/// @file
/// The numbers of the paper: counted from the tables, and from the page of attacks.
// Guards: docs/paper.md#can-a-submission-cheat

#include "common/sitegen/pages.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using namespace ladder::test;

TEST_CASE("a demonstration is not among the required rungs") {
  Checkout lesson;
  Tables with_demonstration = tables;
  with_demonstration["03-dgemm"]["steps"].push_back(
      {{"name", "g2_tiles"}, {"file", "g2_tiles.cu"}, {"kind", "D"}, {"hours", 1}, {"idea", "Given."}});
  lesson.write(lesson.page, "<!-- generated: paper extent -->\n<!-- end -->\n");
  write_pages(lesson.root, generate_pages(lesson.root, with_demonstration));
  CHECK(has(lesson.read(lesson.page), "| 03-dgemm | 2 | 1 | 2.5 | 0 | 0 |"));
}

TEST_CASE("attacks are counted by verdict, and a table's head is no attack") {
  Checkout lesson;
  lesson.write("docs/grading-attacks.md",
               "## Attacks\n\n| attack | rung | bwrap | uid | evidence |\n|---|---|---|---|---|\n"
               "| a | 00/g1 | REVIEW | REVIEW | x |\n| b | 00/g1 | WRONG | WRONG | y |\n"
               "| c | 00/g1 | REVIEW | PASS | z |\n\n## Honest and unusual\n\n"
               "| submission | rung | bwrap | uid | evidence |\n|---|---|---|---|---|\n"
               "| d | 00/g1 | PASS | PASS | x |\n");
  lesson.write(lesson.page,
               "<!-- generated: paper attacks -->\n<!-- end -->\n\n"
               "<!-- generated: paper extent -->\n<!-- end -->\n");
  const Pages pages = generate_pages(lesson.root, tables);
  for (const auto& problem : pages.problems) FAIL_CHECK(problem.sentence());
  write_pages(lesson.root, pages);
  const std::string text = lesson.read(lesson.page);
  CHECK(has(text, "| Attacks | 3 | 2 REVIEW, 1 WRONG |"));
  CHECK(has(text, "| Honest and unusual | 1 | 1 PASS |"));
  CHECK(has(text, "| 03-dgemm | 2 | 0 | 1.5 | 0 | 0 |"));
  CHECK(has(text, "| together | 2 | 0 | 1.5 | 0 | 0 |"));
}

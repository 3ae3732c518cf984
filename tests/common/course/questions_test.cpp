/// @file
/// Questions that people grade: headings in notes.md, the answers below them, and how they are dealt.
// Guards: docs/grading.md#questions-that-people-grade

#include "common/course/questions.hpp"

#include <fmt/format.h>

#include <map>

#include "common/base/catch.hpp"

using namespace ladder::course;

namespace {

Assignment two_questions() {
  Assignment hw;
  hw.name = "hw2";
  hw.manual.push_back({.rung = "03/g1", .ask = "Why  not\ncolumn by column?", .points = 1});
  hw.manual.push_back({.rung = "03/g2", .ask = "What goes wrong without the second barrier?", .points = 2});
  return hw;
}

}  // namespace

TEST_CASE("one heading for each question; the answer is what is below it") {
  const Assignment hw = two_questions();
  const std::string notes = notes_with_headings({&hw});
  CHECK(notes.find("## 03/g1: Why not column by column?\n") != notes.npos);
  for (const Manual& question : hw.manual) CHECK(answer_to(question, hw, notes) == "");
  const std::string answered =
      "# Notes\n## 03/g1: Why not column by column?\nstride\n#include <a>\n## My own\n\x1b[2J\n"
      "##  03/g2:  What goes wrong without the second barrier? \n\n a race \n";
  CHECK(answer_to(hw.manual[0], hw, answered) == "stride\n#include <a>\n## My own\n?[2J");
  CHECK(answer_to(hw.manual[1], hw, answered) == "a race");
  CHECK_FALSE(answer_to(hw.manual[1], hw, "it races\n"));
  CHECK(notes_with_headings({}).empty());
}

TEST_CASE("every answer is dealt once, one in ten twice, and a later submission changes nobody's share") {
  const Assignment hw = two_questions();
  std::map<int, int> share;
  int twice = 0;
  constexpr int submissions = 2000, assistants = 3;
  for (int i = 0; i < submissions; ++i) {
    const auto to = dealt_to(fmt::format("S-{:08}", i), hw.manual[1], assistants);
    REQUIRE((to.size() == 1 || to.size() == 2));
    REQUIRE(to == dealt_to(fmt::format("S-{:08}", i), hw.manual[1], assistants));  // of nothing else
    for (const int number : to) REQUIRE((number >= 1 && number <= assistants));
    ++share[to[0]];
    if (to.size() == 2) {
      ++twice;
      REQUIRE(to[0] != to[1]);
    }
  }
  // Drawn from a hash: four deviations of a fair draw.
  CHECK(std::abs(twice - submissions / 10) < 4 * 13.4);
  for (int number = 1; number <= assistants; ++number)
    CHECK(std::abs(share[number] - submissions / assistants) < 4 * 21.1);
  CHECK(dealt_to("S-1", hw.manual[0], 1) == std::vector<int>{1});
}

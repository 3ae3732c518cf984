/// @file
/// Prerequisites of rungs: what pages say of them, and that no name is wrong and nothing needs itself.
// Guards: docs/adding-a-lesson.md#the-fields-of-a-row

#include "common/sitegen/prerequisites.hpp"

#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using namespace ladder::test;

namespace {

json rung(const std::string& name, const std::vector<std::string>& after, const std::string& kind = "R",
          const std::vector<std::string>& assumes = {}) {
  return {{"name", name}, {"kind", kind}, {"after", after}, {"assumes", assumes}};
}

/// Three lessons: 01 and 02 have a stretch rung each that needs 03, and 01 is needed by none.
Tables three_lessons() {
  Tables all;
  all["01-lu"] = {
      {"title", "LU"},
      {"steps", json::array({rung("g1_naive", {}), rung("m1_columns", {"03-dgemm/g2_tiles"}, "S")})}};
  all["02-gauss"] = {{"title", "Gauss"},
                     {"steps", json::array({rung("c1_openmp", {}, "R", {"OpenMP"}), rung("g1_naive", {}),
                                            rung("t1_blocked", {"03-dgemm/g2_tiles"}, "S")})}};
  all["03-dgemm"] = {
      {"title", "Product"},
      {"steps", json::array({rung("c1_openmp", {}, "R", {"OpenMP"}), rung("c2_more", {}, "R", {"OpenMP"}),
                             rung("g1_naive", {"02-gauss"}), rung("g2_tiles", {"02-gauss"}),
                             rung("g3_stop", {"02-gauss"}, "R", {"OpenMP"})})}};
  return all;
}

std::string problems_of(const Tables& all) {
  std::string text;
  for (const PageProblem& one : prerequisite_problems(all, "")) text += one.sentence() + "\n";
  return text;
}

}  // namespace

TEST_CASE("a lesson's page says once per track what a rung needs") {
  const Tables all = three_lessons();
  const std::string page = "lessons/03-dgemm/README.md";
  CHECK(needs_of_lesson(all, "03-dgemm", page) ==
        "OpenMP for c1 and g3; [02](../02-gauss/README.md) before g1");
  CHECK(needs_of_lesson(all, "01-lu", "lessons/01-lu/README.md") ==
        "[03/g2](../03-dgemm/README.md) before m1");
  Checkout checkout;
  checkout.write(page, "You need: <!-- = needs -->?<!-- . -->.\n");
  CHECK(has(generate_pages(checkout.root, all).files.at(page),
            "<!-- = needs -->OpenMP for c1 and g3; [02](../02-gauss/README.md) before g1<!-- . -->."));
}

TEST_CASE("a path says what comes later than its place, and refuses a required rung before what it needs") {
  const Tables all = three_lessons();
  Checkout checkout;
  const auto path = [&](const std::string& stations) {
    checkout.write("README.md", "<!-- generated: path " + stations + " -->\n");
    return generate_pages(checkout.root, all);
  };
  CHECK(has(path("02 03").files.at("README.md"),
            "The numbers are the order: required rungs need only what comes before them. For those who want "
            "more, 01/m1 comes after 03/g2 and 02/t1 comes after 03/g2. [01](lessons/01-lu/README.md), LU, "
            "fits at any time.\n"));
  const Pages wrong = path("03 02");
  REQUIRE(wrong.problems.size() == 1);
  CHECK(wrong.problems[0].text == "03-dgemm/g1_naive needs 02-gauss, which is not on the path before it");
}

TEST_CASE("a prerequisite names a lesson or a rung, an earlier one if required, and leads to no circle") {
  CHECK(problems_of(three_lessons()) == "");
  const auto with = [](const char* lesson, std::size_t row, const char* after) {
    Tables all = three_lessons();
    all[lesson]["steps"][row]["after"] = {after};
    return problems_of(all);
  };
  const std::string file = "lessons/02-gauss/rungs.toml: ";
  CHECK(with("02-gauss", 1, "04-none") ==
        file + "g1_naive: after = \"04-none\": there is no such lesson or rung\n");
  CHECK(with("02-gauss", 1, "01-lu/g2_none") ==
        file + "g1_naive: after = \"01-lu/g2_none\": there is no such lesson or rung\n");
  CHECK(with("02-gauss", 0, "03-dgemm/c1_openmp") ==
        file + "c1_openmp: after = \"03-dgemm/c1_openmp\": only a stretch rung may need a later lesson\n");
  CHECK(with("03-dgemm", 3, "02-gauss/t1_blocked") ==
        file +
            "t1_blocked needs itself: 02-gauss/t1_blocked after 03-dgemm/g2_tiles after "
            "02-gauss/t1_blocked\n");
}

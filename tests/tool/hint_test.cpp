/// @file
/// The verb hint, end to end, on a checkout whose judge does as it is told.
// Guards: docs/student.md#hints

#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::Ended;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::step;
using nlohmann::json;

namespace {

const std::string naive = "lessons/07-toy/g1_naive.cu", first = "lessons/07-toy/c1_first.cpp";

}  // namespace

TEST_CASE("hint: first what was measured, then one more each time, then the page") {
  const Checkout c;
  c.write("lessons/07-toy/README.md",
          "# T\n\n### g1 · One\n\n*Idea.* The section.\n<details>The answer.</details>\n");
  CHECK(has(c.tool({"hint"}), "Nothing was missed"));
  c.order(naive, "all WRONG first C[0][1]");
  const Ended checked = c.tool({"check", "07/g1"});
  INFO(checked.output);
  CHECK(has(checked, "Stuck?           ./ladder hint 07/g1"));
  const Ended measured = c.tool({"hint"});
  INFO(measured.output);
  CHECK(has(measured, "07/g1 g1_naive.cu  WRONG"));
  CHECK(has(measured, "Measured         WRONG: first C[0][1]"));
  CHECK(has(measured, "Think            What comes first?"));
  CHECK_FALSE(has(measured, "Which lane?"));
  const Ended one = c.tool({"hint"});
  INFO(one.output);
  CHECK_FALSE(has(one, "Measured "));  // what was shown a moment ago
  CHECK_FALSE(has(one, "What comes first?"));
  CHECK(has(one, "Hint 1 of 2      Which lane?"));
  CHECK(has(one, "one hint more: ./ladder hint 07/g1"));
  CHECK_FALSE(has(one, "That one."));
  CHECK_FALSE(has(one, "What comes first?"));  // what was measured is told whole once
  const json shown = step(c.json({"hint", "07/g1"}, 0), "g1_naive")["hints"];
  CHECK(shown[shown.size() - 2] == "Which lane?");
  CHECK(shown.back() == "That one.");
  const Ended last = c.tool({"hint"});
  INFO(last.output);
  CHECK_FALSE(has(last, "That one."));
  CHECK(has(last, "*Idea.* The section."));
  CHECK_FALSE(has(last, "The answer."));
  CHECK(has(last, "that was the last hint"));
  CHECK(has(last, "4 hints of this step so far; they cost nothing"));
  const Ended again = c.tool({"hint"});
  INFO(again.output);
  for (const char* all : {"Measured         WRONG", "Which lane?", "That one.", "*Idea.* The section."})
    CHECK(has(again, all));
  c.write(naive, "// fake all MISSED too slow\n// changed\n");
  CHECK(has(c.tool({"hint", "07/g1"}), "Measured         not judged as it is now"));
  c.tool({"check", "07/g1"});
  CHECK(has(c.tool({"hint"}), "MISSED: too slow"));
}

TEST_CASE("hint: what passes has none, and the step before it is missed again") {
  const Checkout c;
  c.order(naive, "all WRONG first C[0][1]");
  c.order(first, "all WRONG first C[0][1]");
  c.tool({"check", "07/g1"});
  c.tool({"check", "07/c1"});
  CHECK(has(c.tool({"hint"}), "07/c1 c1_first.cpp  WRONG"));
  c.order(first, "all PASS right");
  CHECK_FALSE(has(c.tool({"check", "07/c1"}), "Stuck?"));
  CHECK(has(c.tool({"hint", "07/c1"}), "./ladder diff 07/c1"));
  CHECK(has(c.tool({"hint"}), "07/g1 g1_naive.cu  WRONG"));
  CHECK(has(c.tool({"hint", "07/c2"}), "07/c2 is given whole"));
}

TEST_CASE("hint: wrong words, and files that are not what the tool writes") {
  const Checkout c;
  CHECK(has(c.tool({"hint", "07"}), "'07' is a lesson; name a step"));
  CHECK(has(c.tool({"hint", "07/g1", "07/c1"}), "one step at a time"));
  CHECK(c.tool({"hint", "07/g9"}).status == 2);
  c.write(".ladder/history.jsonl", "no json\n[1]\n");
  c.write(".ladder/hints.json", "{\"07-toy/g1_naive\": \"many\"}");
  CHECK(has(c.tool({"hint"}), "Nothing was missed"));
  CHECK(has(c.tool({"hint", "07/g1"}), "Hint 1 of 2"));
}

/// @file
/// The verb hint, end to end, on a checkout whose judge does as it is told.
// Guards: docs/student.md#hints

#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
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
  approve("nothing-missed", c.tool({"hint"}));
  c.order(naive, "all WRONG first C[0][1]");
  approve("check-names-it", c.tool({"check", "07/g1"}));
  const ProcessResult measured = c.tool({"hint"});
  CHECK_FALSE(has(measured, "Which lane?"));
  approve("measured", measured);
  const ProcessResult one = c.tool({"hint"});
  CHECK_FALSE(has(one, "What comes first?"));  // what was measured is told whole once
  CHECK_FALSE(has(one, "That one."));
  approve("first-of-two", one);
  const json shown = step(c.json({"hint", "07/g1"}, 0), "g1_naive")["hints"];
  CHECK(shown[shown.size() - 2] == "Which lane?");
  CHECK(shown.back() == "That one.");
  const ProcessResult last = c.tool({"hint"});
  CHECK_FALSE(has(last, "The answer."));
  approve("page", last);
  approve("all-again", c.tool({"hint"}));
  c.write(naive, "// fake all MISSED too slow\n// changed\n");
  approve("not-judged-as-it-is", c.tool({"hint", "07/g1"}));
  c.tool({"check", "07/g1"});
  approve("missed-time", c.tool({"hint"}));
}

TEST_CASE("hint: what passes has none, and the rung before it is missed again") {
  const Checkout c;
  c.order(naive, "all WRONG first C[0][1]");
  c.order(first, "all WRONG first C[0][1]");
  c.tool({"check", "07/g1"});
  c.tool({"check", "07/c1"});
  approve("latest-missed", c.tool({"hint"}));
  c.order(first, "all PASS right");
  CHECK_FALSE(has(c.tool({"check", "07/c1"}), "Stuck?"));
  approve("of-a-right-step", c.tool({"hint", "07/c1"}));
  approve("missed-before", c.tool({"hint"}));
  approve("given-whole", c.tool({"hint", "07/c2"}));
}

TEST_CASE("hint: wrong words, and files that are not what the tool writes") {
  const Checkout c;
  approve("wrong-words", refusals(c, {{"hint", "07"}, {"hint", "07/g1", "07/c1"}, {"hint", "07/g9"}}));
  c.write(".ladder/history.jsonl", "no json\n[1]\n");
  c.write(".ladder/hints.json", "{\"07-toy/g1_naive\": \"many\"}");
  approve("history-is-no-json", c.tool({"hint"}));
  approve("hints-are-no-numbers", c.tool({"hint", "07/g1"}));
}

/// @file
/// The verbs as a student meets them: nothing is lost without a question, nothing is longer than the window,
/// and what is said leads on.
// Guards: docs/student.md#the-loop-on-one-screen

#include <algorithm>
#include <sstream>

#include "common/report/text/table.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::transcript;
using nlohmann::json;

TEST_CASE(
    "reset and start: what PASSes is replaced by nobody who was not asked; --undo brings back what was "
    "there") {
  const std::string verdict =
      GENERATE(as<std::string>{}, "all PASS right", "targets SKIPPED sectors not measured: no counters");
  const Checkout c;
  const std::string g1 = "lessons/07-toy/g1_naive.cu";
  c.order(g1, verdict);
  const std::string mine = c.read(g1);
  c.tool({"check", "07/g1"});
  std::string refusals;
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"reset", "07/g1"}, {"reset", "07"}, {"reset", "07/c1", "07/g1"}}) {
    const ProcessResult refused = c.tool(call);
    refusals += transcript(call, refused);
    CHECK(refused.status == 1);
    CHECK(c.read(g1) == mine);
  }
  approve("reset-asks-first", refusals);
  approve("reset-yes", c.tool({"reset", "07/g1", "--yes"}, {{"COLUMNS", "200"}}));
  CHECK(c.read(g1) != mine);
  const std::string skeleton = c.read(g1);
  CHECK(c.tool({"reset", "--undo"}).status == 0);  // of the last call
  CHECK(c.read(g1) == mine);
  CHECK(has(c.tool({"list"}), "PASS"));
  CHECK(c.tool({"reset", "07/g1", "--undo"}).status == 0);
  CHECK(c.read(g1) == skeleton);
  CHECK(c.tool({"reset", "07/g1", "--undo"}).status == 0);
  CHECK(c.read(g1) == mine);
  CHECK(c.tool({"reset", "07/c1", "--undo"}).status == 1);
  // What was begun and does not PASS goes without a question, and comes back too.
  c.write(g1, "one\n");
  CHECK(c.tool({"reset", "07/g1"}).status == 0);
  CHECK(c.tool({"reset", "07/g1", "--undo"}).status == 0);
  CHECK(c.read(g1) == "one\n");
}

TEST_CASE("reset --undo without anything to undo says so") {
  const Checkout c;
  approve("nothing-to-undo", c.tool({"reset", "--undo"}));
}

TEST_CASE("list: one lesson in full and a line for each other; --all has every rung") {
  const Checkout c;
  c.write("lessons/08-more/c1_only.cpp", "// a rung\n");
  c.write("lessons/08-more/rungs.toml",
          ladder::test::table_text("More", {ladder::test::row_text("c1_only.cpp", "Another idea.")}));
  c.write("build/build.ninja",
          c.read("build/build.ninja") +
              "build judges/08-more: copy judge.sh\n"
              "build workers/lessons/08-more/c1_only.cpu: compile ../lessons/08-more/c1_only.cpp\n");
  const auto lines = [](const ProcessResult& ended) {
    return std::count(ended.output.begin(), ended.output.end(), '\n');
  };
  const ProcessResult brief = c.tool({"list"}), all = c.tool({"list", "--all"}), one = c.tool({"list", "08"});
  approve("list", brief);
  approve("list-all", all);
  approve("list-of-one-lesson", one);
  CHECK(lines(brief) < lines(all) + 3);
  CHECK(c.json({"list"}, 0)["lessons"].size() == 2);  // the document has all in any case
  c.order("lessons/08-more/c1_only.cpp", "all WRONG first C[0][1]");
  c.tool({"check", "08/c1"});
  approve("list-at-another-lesson", c.tool({"list"}));
}

TEST_CASE("what is said fits into the window, whoever says it") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp",
          "all WRONG first C[0][1] of quite a number of elements that are all named here one by one");
  c.order("lessons/07-toy/g1_naive.cu", "all PASS right");
  c.tool({"check", "07"});
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"check", "07/c1"},
                                             {"hint", "07/c1"},
                                             {"list"},
                                             {},
                                             {"predict", "07/g1", "sectors=5"},
                                             {"predict", "07/g1"},
                                             {"profile", "07/c1"},
                                             {"profile", "07/g1"},
                                             {"reset", "07/g1"},
                                             {"reset", "07/g1", "--yes"},
                                             {"reset", "--undo"},
                                             {"reset", "07/c2"},
                                             {"submit", "07/c1", "07/g1"},
                                             {"check", "--help"},
                                             {"run", "--help"},
                                             {"submit", "--help"}}) {
    for (const char* columns : {"60", "80"}) {
      const ProcessResult ended = c.tool(call, {{"COLUMNS", columns}});
      std::istringstream lines(ended.output);
      for (std::string line; std::getline(lines, line);) {
        const bool path = line.find("lessons/") != line.npos || line.find(".zip") != line.npos ||
                          line.find("./ladder ") != line.npos;  // a name or a command is not broken
        if (!path && ladder::report::columns(line) > static_cast<std::size_t>(std::atoi(columns)))
          FAIL_CHECK((call.empty() ? "./ladder" : call[0]) << " in " << columns << ": " << line);
      }
    }
  }
}

TEST_CASE("Next has the options of the call, whatever the verdict") {
  const std::string verdict =
      GENERATE(as<std::string>{}, "all WRONG first", "all MISSED much", "all CRASHED signal 11",
               "BUILD ERROR", "correctness NOT_STARTED task");
  INFO(verdict);
  const Checkout c;
  if (verdict == "BUILD ERROR")
    c.write("lessons/07-toy/g1_naive.cu", "#error not C++\n");
  else
    c.order("lessons/07-toy/g1_naive.cu", verdict);
  const ProcessResult ended =
      c.tool({"check", "07/g1", "--size", "2", "--seed", "7", "--device", "executor"}, {{"COLUMNS", "250"}});
  INFO(ended.output);
  const auto next = ended.output.find("\nNext  ");
  REQUIRE(next != std::string::npos);
  const std::string line = ended.output.substr(next + 1, ended.output.find('\n', next + 1) - next);
  for (const char* option : {"--size 2", "--seed 7", "--device executor"})
    CHECK(line.find(option) != std::string::npos);
}

TEST_CASE(
    "MISSED: a sentence first, then the numbers; what is for a course's staff is said in a course only") {
  const Checkout c;
  c.write("lessons/07-toy/g1_naive.cu",
          "// fake targets MISSED sectors 73,728 of 16,384 necessary (n^2 sectors): 4.5x, limit 1.1x   "
          "1.1/4 points\n"
          "// fake missed 4.5\n"
          "// fake detail Meant so?: If your design needs this, say why in notes.md: a person reads it.\n"
          "// fake detail What that means: Something was not counted: a person looks at it.\n");
  const ProcessResult ended = c.tool({"check", "07/g1"}, {{"COLUMNS", "200"}});
  CHECK_FALSE(has(ended, "Meant so?"));
  CHECK_FALSE(has(ended, "person"));
  approve("missed", ended);
  c.order("lessons/07-toy/g1_naive.cu", "all MISSED too slow");
  CHECK_FALSE(has(c.tool({"check", "07/g1"}), "profile"));  // by time
}

TEST_CASE("names: what can mean only one rung is understood by every verb") {
  const Checkout c;
  c.order("lessons/07-toy/g1_naive.cu", "all WRONG first");
  for (const char* typed : {"g1", "07-g1", "07g1", "07/G1", "07/g1_naive.cu", "lessons/07-toy/g1_naive.cu",
                            "naive", "g1_naive"}) {
    INFO(typed);
    CHECK(has(c.tool({"check", typed}), "07/g1 g1_naive.cu  WRONG"));
    CHECK(has(c.tool({"hint", typed}), "07/g1"));
  }
  CHECK(
      has(c.tool({"check", (c.root() / "lessons/07-toy/g1_naive.cu").string()}), "07/g1 g1_naive.cu  WRONG"));
  CHECK(has(c.tool({"check", "07", "g1"}), "07/g1 g1_naive.cu  WRONG"));
  CHECK(has(c.tool({"predict", "g1", "sectors=5"}), "kept: 07/g1"));
}

TEST_CASE("BUILD ERROR shows the line and a caret; what was left open is named where it was left open") {
  const Checkout c;
  c.write("lessons/07-toy/g1_naive.cu", "void f() {\n#error no\n}\n");
  const ProcessResult line = c.tool({"check", "07/g1"}, {{"COLUMNS", "200"}});
  approve("build-error", line);
  c.write("lessons/07-toy/g1_naive.cu",
          "void f() {\n  if (true) {\n    f();\n}\nvoid g() {\n  #error no\n}\n");
  const ProcessResult brace = c.tool({"check", "07/g1"}, {{"COLUMNS", "200"}});
  approve("brace-left-open", brace);
}

TEST_CASE("kernels that do not compile when the rung runs are shown as a rung that does not compile") {
  const Checkout c;
  c.write("lessons/07-toy/g1_naive.cu",
          "// fake correctness CRASHED the kernels do not compile: line 3: use of undeclared identifier "
          "'elment'\n"
          "kernel void f(global double* x) {\n  x[0] = elment;\n}\n");
  const ProcessResult ended = c.tool({"check", "07/g1"}, {{"COLUMNS", "200"}});
  approve("kernels-do-not-compile", ended);
}

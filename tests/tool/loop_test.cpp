/// @file
/// The learner's loop end to end, on a checkout whose judge does as it is told: diff, start, list, what
/// survives a crash.
// Guards: docs/student.md#the-loop-on-one-screen, docs/student.md#begin-from-the-rung-below

#include <chrono>

#include "common/course/student_course.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::step;
using ladder::test::transcript;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string own_g1 = "lessons/07-toy/g1_naive.cu", own_c1 = "lessons/07-toy/c1_first.cpp";

}  // namespace

TEST_CASE("diff: not before PASS, and not without a reference; then both are measured") {
  const Checkout c;
  c.order(own_g1, "all WRONG first C[0][1]");
  c.tool({"check", "07/g1"});
  const ProcessResult early = c.tool({"diff", "07/g1"});
  CHECK_FALSE(has(early, "more_work"));
  approve("diff-before-pass", early);
  c.order(own_g1, "all PASS right");
  c.tool({"check", "07/g1"});
  const ProcessResult shown = c.tool({"diff", "07/g1"});
  CHECK_FALSE(has(shown, "SOLUTION"));  // its code only
  approve("diff", shown);
  CHECK(step(c.json({"diff", "07/g1"}, 0), "g1_naive")["reference"]["tree"] == "solutions");
  fs::remove(c.root() / "solutions/07-toy/g1_naive.cu");
  approve("diff-without-reference", c.tool({"diff", "07/g1"}));
}

TEST_CASE("start: from the rung below; what was there is kept, and nothing is given away") {
  const Checkout c;
  c.write("lessons/07-toy/c2_second.cpp", "void toy::second() {\n  mine();\n}\n");
  std::string all;
  const auto refused = [&](std::vector<std::string> call) {
    call.insert(call.begin(), "start");
    const ProcessResult ended = c.tool(call);
    INFO(ended.output);
    CHECK(ended.status == 2);
    all += transcript(call, ended);
  };
  refused({"07/c1"});
  refused({"07/c2"});
  refused({"07/g1", "--from", "07/g1"});
  refused({"07/g1", "--from", "07/c1"});
  refused({"07"});
  // A second rung of track g, written by hand: the toy's table knows g1 only, so that its kind is R.
  c.write("lessons/07-toy/g2_more.cu",
          "/// g2: more.\nvoid toy::more() {\n  // TASK, 1 line: More of it.\n  ladder::task();\n}\n");
  c.write("solutions/07-toy/g2_more.cu",
          "void toy::more() {\n  // BEGIN SOLUTION More of it.\n  all();\n  // END SOLUTION\n}\n");
  refused({"07/g2"});
  const std::string before = c.read("lessons/07-toy/g2_more.cu");
  const json done = c.json({"start", "07/g2", "--from", "reference"}, 0);
  const std::string begun = c.read("lessons/07-toy/g2_more.cu");
  INFO(begun);
  CHECK(begun.find("void toy::more() {\n  // TASK, 1 line: More of it.\n  work();\n  more_work();\n}\n") !=
        std::string::npos);
  CHECK(begun.find("all()") == std::string::npos);
  CHECK(c.read(step(done, "g2_more")["kept"]) == before);
  c.write(own_g1, "void toy::naive() {\n  my_own();\n}\n");
  approve("start", c.tool({"start", "07/g2"}, {{"COLUMNS", "200"}}));
  CHECK(c.read("lessons/07-toy/g2_more.cu").find("my_own();") != std::string::npos);
  fs::remove(c.root() / "solutions/07-toy/g1_naive.cu");
  refused({"07/g2", "--from", "reference"});
  approve("start-refused", all);
}

TEST_CASE("progress survives: a broken state is made again from the history, and kept aside") {
  const Checkout c;
  c.order(own_c1, "all PASS right");
  c.json({"check", "07/c1"}, 0);
  c.write(".ladder/state.json", "{\"07-toy/c1_first\": {\"verd");
  approve("broken-state", c.tool({"list"}));
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "PASS");
  // A verdict that another ./ladder writes while this one works stays.
  c.order(own_g1, "all MISSED too many");
  c.tool({"check", "07/g1"});
  const json state = json::parse(c.read(".ladder/state.json"));
  CHECK(state.size() == 2);
  CHECK(state["07-toy/g1_naive"]["details"][0][0] == "Think");
  // Of two in the history the later one counts, whatever their order: one may have come from another machine.
  fs::remove(c.root() / ".ladder/state.json");
  c.write(".ladder/history.jsonl",
          c.read(".ladder/history.jsonl") +
              R"({"step": "07-toy/c1_first", "verdict": "WRONG", "source": "", "time": 5})" + "\n");
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "PASS");
  c.write(".ladder/state.json", R"({"07-toy/c1_first": {"verdict": 5}})");
  CHECK(c.tool({"list"}).status == 0);
}

TEST_CASE("a verdict is of the file that was judged, not of one that was saved meanwhile") {
  const Checkout c;
  c.order(own_c1, "correctness SAVED");
  CHECK(step(c.json({"check", "07/c1"}, 0), "c1_first")["source"].get<std::string>().size() == 64);
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "changed since PASS");
}

TEST_CASE("list and ./ladder: the rung that one is at, the time so far, and a handout's course") {
  const Checkout c;
  c.order(own_g1, "all MISSED it moves 3.67 times the data it needs (limit 1.1)");
  c.tool({"check", "07/g1"});
  const ProcessResult at = c.tool({});
  approve("begun-is-next", at);  // c1 is required and comes before, but this one is begun
  CHECK(step(c.json({"list"}, 0), "g1_naive")["seconds_spent"] == 300);
  c.write(own_g1, c.read(own_g1) + "\n");
  approve("changed-since", c.tool({}));
  c.tool({"reset", "07/g1"});
  using namespace std::chrono;
  const std::chrono::sys_seconds now = floor<minutes>(system_clock::now());
  ladder::course::Course course;
  course.name = course.term = "x";
  course.assignments.resize(1);
  ladder::course::Assignment& one = course.assignments[0];
  one.name = "hw2", one.opens = now - seconds(100), one.due = now + hours(84);
  one.rungs = {{"07/g1", 8}};
  one.time = ladder::course::Timed{.points = 3};
  c.write(".handout/course.json", ladder::course::student_course(course, {&one}).dump());
  approve("assignment-is-next", c.tool({}, {{"TZ", "UTC"}, {"COLUMNS", "300"}}));
  approve("list-of-a-course", c.tool({"list"}, {{"TZ", "UTC"}, {"COLUMNS", "200"}}));
}

TEST_CASE("next: ./ladder, list, check, hint and watch name the same rung, of the ladder that one is on") {
  const Checkout c;
  // A lesson before it, of which nothing is begun.
  c.write("lessons/05-other/g1_first.cu", "void other::first() {\n  ladder::task();\n}\n");
  c.write("lessons/05-other/rungs.toml",
          ladder::test::table_text(
              "Another", {ladder::test::row_text("g1_first.cu", "First.", "data = \"resident\"\n")}));
  const auto all_say = [&](const std::string& step) {
    const ProcessResult alone = c.tool({}), listed = c.tool({"list"});
    INFO(alone.output << listed.output);
    CHECK(has(alone, "Next: " + step));
    CHECK(has(listed, "Next: ./ladder check " + step));
    return alone;
  };
  approve("next-nothing-begun", all_say("05/g1"));
  CHECK(has(c.tool({"hint"}), "Next: 05/g1"));
  c.order(own_g1, "all MISSED too many");
  c.tool({"check", "07/g1"});
  all_say("07/g1");
  CHECK(has(c.tool({"hint"}), "07/g1 g1_naive.cu  MISSED"));
  c.order(own_g1, "all PASS right");
  // Its ladder's other required rung.
  approve("check-leads-to-the-other", c.tool({"check", "07/g1"}));
  approve("next-of-the-ladder", all_say("07/c1"));
  CHECK(has(c.tool({"hint"}), "Next: 07/c1"));
  c.order(own_c1, "all PASS right");
  approve("check-lesson-done", c.tool({"check", "07/c1"}));
  approve("next-lesson-done", all_say("05/g1"));
}

TEST_CASE("profile says that nothing was predicted, once, and goes on") {
  const Checkout c;
  c.order(own_g1, "all PASS right");
  const ProcessResult one = c.tool({"profile", "07/g1"});
  approve("no-prediction", one);
  CHECK_FALSE(has(c.tool({"profile", "07/g1"}), "No prediction"));
  c.order(own_c1, "all PASS right");
  c.tool({"predict", "07/c1", "sectors=5"});
  CHECK_FALSE(has(c.tool({"profile", "07/c1"}), "No prediction"));
}

TEST_CASE("doctor --report: one text, without this user, host or path") {
  const Checkout c;
  c.order(own_g1, "all CRASHED in " + c.root().string() + "/lessons of nadja");
  c.tool({"check", "07/g1"});
  const ProcessResult report =
      c.tool({"doctor", "--report"}, {{"HOME", c.root().string()}, {"USER", "nadja"}});
  INFO(report.output);
  CHECK(report.status == 0);
  for (const char* said : {"Devices\n", "Missing\n", "07-toy/g1_naive: CRASHED, in lessons of USER"})
    CHECK(has(report, said));
  CHECK_FALSE(has(report, "nadja"));
  CHECK_FALSE(has(report, c.root().filename().string()));
  CHECK(c.tool({"doctor", "--report", "--json", "-"}).status == 2);
}

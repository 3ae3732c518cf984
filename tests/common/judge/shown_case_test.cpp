// What a student reads of one case: its printed lines, its accesses, its notes and warnings; and of which
// cause the question is.
// Guards: docs/student.md#the-loop-on-one-screen

#include <string>

#include "common/judge/findings/findings.hpp"
#include "common/judge/shown_case.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/judge/project.hpp"

namespace {

using namespace ladder;
using ladder::test::approve;
using ladder::test::step;
using ladder::test::text_of;

std::string all_under(const TestReport& report, const std::string& heading) {
  std::string all;
  for (const auto& [name, text] : report.details())
    if (name == heading) all += text + "\n";
  return all;
}

Printed printed(const std::string& text) {
  Printed one;
  one.add(text);
  return one;
}

Finding finding(const char* kind, const char* severity, int line, const char* message) {
  Finding f;
  f.kind = kind, f.severity = severity, f.site = {"g2_tiles.cu", line}, f.message = message,
  f.meaning = "So it is.";
  return f;
}

}  // namespace

TEST_CASE("printed: the first lines, and how much was cut") {
  CHECK(printed_text({}).empty());
  CHECK(printed_text(printed("row 0: 1.5\nrow 1: 2\n")) == "row 0: 1.5\nrow 1: 2");
  CHECK(printed_text(printed("no newline")) == "no newline");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "line " + std::to_string(i) + "\n";
  const std::string cut = printed_text(printed(many));
  approve("printed-lines", cut);
  Printed huge;
  for (int i = 0; i < 1000; ++i) huge.add(std::string(999, 'x') + "\n");
  CHECK(huge.first.size() <= 64 * 1024);
  approve("printed-megabyte", printed_text(huge));
}

TEST_CASE(
    "printed: nothing of it can move a terminal's cursor, and the executor's messages are told elsewhere") {
  CHECK(printed_text(printed("\x1b[2Jgone\ta\r\n")) == "?[2Jgone a?");
  CHECK(printed_text(printed("lessons/00/g5.cu:29: error: the kernel is lost\n    in kernel sum\nmine\n")) ==
        "mine");
  CHECK(printed_text(printed("executor: warning: slow\n")).empty());
  const std::string wide = printed_text(printed(std::string(500, 'a') + "\n"));
  CHECK(wide.size() < 200);
  approve("printed-long-line", wide);
}

TEST_CASE("notes explain a wrong result, with a question of their own, and are no news in a right one") {
  Observation o;
  o.findings = {
      finding("shared-race", "note", 4, "Thread 0 and thread 1 write s in one instruction of their warp")};
  TestReport wrong(step(), TestKind::correctness), right(step(), TestKind::findings);
  explain_notes(o, "2 x 2", step(), wrong);
  approve("note", text_of(wrong));
  CHECK(wrong.cause() == "shared-race");
  CHECK_FALSE(judge_observation(o, "2 x 2", step(), right));
  CHECK(right.details().empty());
  // A value that is read and not used is a note, and asks nothing.
  o.findings[0].kind = "uninitialised";
  TestReport unused(step(), TestKind::correctness);
  explain_notes(o, "2 x 2", step(), unused);
  CHECK(all_under(unused, "Think").empty());
  approve("note-without-a-question", text_of(unused));
  // Next to an error it stays in the background.
  o.findings = {finding("shared-race", "error", 9, "race"), finding("global-race", "note", 4, "note")};
  TestReport both(step(), TestKind::findings);
  CHECK(judge_observation(o, "n = 2", step(), both));
  approve("note-next-to-an-error", text_of(both));
}

TEST_CASE("warnings say their line and the case, and each line once") {
  TestReport report(step(), TestKind::findings);
  for (const char* label : {"3 x 3", "33 x 33", "5 x 257"}) {
    Observation o;
    o.findings = {
        finding("exited-before-barrier", "warning", 31, "179 threads of the 256 of the block had left"),
        finding("exited-before-barrier", "warning", 31, "other numbers")};
    CHECK_FALSE(judge_observation(o, label, step(), report));
  }
  approve("warnings", text_of(report));
}

TEST_CASE("each kind of finding asks about its own cause") {
  Finding copy = finding("out-of-bounds", "error", 7, "cudaMemcpy");
  copy.operation = "copy";
  Finding access = finding("out-of-bounds", "error", 7, "the kernel accesses");
  access.operation = "access", access.kernel = "k";
  std::string all;
  for (const Finding& one : {finding("stack-overflow", "error", 14, "Stack overflow"), copy, access,
                             finding("launch", "error", 9, "Kernel k never ran"),
                             finding("endless", "error", 9, "Thread (0,0,0)")}) {
    Observation o;
    o.findings = {one};
    TestReport report(step(), TestKind::findings);
    CHECK(judge_observation(o, "n = 1", step(), report));
    CHECK(report.cause() == one.kind);
    all += text_of(report) + "\n";
  }
  approve("questions", all);
}

TEST_CASE("accesses: by thread, those that touch device memory, line by line") {
  Observation o;
  const auto add = [&](std::uint32_t block, std::uint32_t thread, int line, const char* operation,
                       const char* address, bool global) {
    o.accesses.push_back({.site = {"g2_tiles.cu", line},
                          .block = {block, 0, 0},
                          .thread = {thread, 0, 0},
                          .operation = operation,
                          .address = address,
                          .global = global});
  };
  add(0, 0, 20, "read", "A + 0 (of 4)", true);
  add(0, 0, 20, "read", "A + 2 (of 4)", true);
  add(0, 0, 21, "write", "part[0]", false);
  add(0, 5, 21, "write", "part[5]", false);
  for (std::uint32_t t = 10; t < 30; ++t) add(0, t, 20, "read", "A + 1 (of 4)", true);
  TestReport report(step(), TestKind::correctness);
  show_accesses(o, step(), report);
  CHECK(all_under(report, "thread 5").empty());  // it touches no device memory
  approve("accesses", text_of(report));
  for (const char* element : {"part[1]", "part[2]", "part[3]", "part[4]", "part[5]", "part[6]", "part[7]",
                              "part[8]", "part[9]", "part[10]", "part[11]"})
    add(0, 0, 22, "read", element, false);
  add(0, 0, 23, "write", "B + 0 (of 4)", true);  // shown, however many accesses are before it
  add(1, 0, 20, "atomic", "count[3]", true);
  TestReport blocks(step(), TestKind::correctness);
  show_accesses(o, step(), blocks);
  approve("accesses-in-two-blocks", text_of(blocks));
}

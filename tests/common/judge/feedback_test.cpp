// What a student reads of findings and counters, from observations written by hand.
// Guards: docs/student.md#the-loop-on-one-screen

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "common/judge/findings/counter_text.hpp"
#include "common/judge/findings/findings.hpp"
#include "common/judge/findings/source_text.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/judge/project.hpp"

namespace {

using namespace ladder;
using ladder::test::approve;
using ladder::test::step;
using ladder::test::text_of;
namespace fs = std::filesystem;

Finding race_on(const char* address, int line, int other_line) {
  Finding f;
  f.kind = "shared-race";
  f.severity = "error";
  f.site = {"lessons/g2_tiles.cu", line};
  f.other = Finding::Other{{"lessons/g2_tiles.cu", other_line}, {}, {1, 0, 0}, "read"};
  f.address = address;
  f.message = std::string("In pass 2 thread (0,0) writes ") + address;
  f.meaning = "Nothing separates this pass's reads from the next pass's writes.";
  return f;
}

std::string text_under(const TestReport& report, const std::string& heading) {
  for (const auto& [name, text] : report.details())
    if (name == heading) return text;
  return "";
}

}  // namespace

TEST_CASE("findings: the first one whole, its like by name, then the question") {
  Observation o;
  o.findings = {race_on("As[0][0]", 2, 4), race_on("Bs[0][0]", 3, 4), race_on("As[0][1]", 2, 4)};
  TestReport report(step(), TestKind::findings);
  CHECK(judge_observation(o, "n = 64", step(), report));
  CHECK(report.verdict() == Verdict::wrong);
  approve("race", text_of(report));
}

TEST_CASE(
    "a race on a line where all threads store one element: the question is who needs to, not a barrier") {
  for (const char* of_the_stores : {"global-race", "same-value-race"}) {
    Finding early = race_on("part[0]", 4, 2);
    early.operation = "read";
    early.other->operation = "write";
    Finding stores = race_on("sum[0]", 4, 4);
    stores.kind = of_the_stores;
    stores.operation = stores.other->operation = "write";
    Observation o;
    o.findings = {early, stores};
    TestReport report(step(), TestKind::findings);
    CHECK(judge_observation(o, "n = 64", step(), report));
    CHECK(text_under(report, "Think") ==
          "Which threads need the value that line 4 reads, and how many of them must store it?");
    o.findings[1].site.line = o.findings[1].other->site.line = 5;  // another line: a barrier is missing
    TestReport other(step(), TestKind::findings);
    CHECK(judge_observation(o, "n = 64", step(), other));
    CHECK(text_under(other, "Think").starts_with("Which threads must be finished with line 2"));
  }
}

TEST_CASE("warnings are told and change no verdict") {
  Observation o;
  o.findings = {race_on("As[0][0]", 2, 4)};
  o.findings[0].severity = "warning";
  TestReport report(step(), TestKind::findings);
  CHECK_FALSE(judge_observation(o, "n = 64", step(), report));
  CHECK(report.verdict() == Verdict::pass);
  approve("warning", text_of(report));
  CHECK_FALSE(judge_observation({}, "n = 64", step(), report));
}

TEST_CASE("what was found closes its headings: guesses under them are left out") {
  TestReport report(step(), TestKind::correctness);
  report.detail("Think", "found");
  report.close_headings();
  report.detail("Think", "guessed");
  report.detail("Why n = 32 works", "one tile");
  report.detail("Why n = 32 works", "one tile");
  CHECK(report.details().size() == 2);
  CHECK(text_under(report, "Think") == "found");
}

TEST_CASE(
    "a fault that a finding explains is that finding; of another end the end stands first, then the "
    "finding") {
  Failure fault{Verdict::crashed, "the process ended"};
  TestReport report(step(), TestKind::findings);
  CHECK_FALSE(judge_fault(fault, "n = 1", step(), report));
  fault.observation.emplace();
  CHECK_FALSE(judge_fault(fault, "n = 1", step(), report));
  fault.observation->findings = {race_on("As[0][0]", 2, 4)};
  fault.observation->findings[0].fatal = true;
  CHECK(judge_fault(fault, "n = 1", step(), report));
  CHECK(report.verdict() == Verdict::wrong);
  approve("fault-explained", text_of(report));
  fault.observation->findings[0].fatal = false;
  TestReport ended(step(), TestKind::findings);
  CHECK(judge_fault(fault, "n = 1", step(), ended));
  CHECK(ended.verdict() == Verdict::crashed);
  approve("fault-after-a-finding", text_of(ended));
  fault.verdict = Verdict::rejected;
  CHECK_FALSE(judge_fault(fault, "n = 1", step(), report));
}

TEST_CASE("counters: the lines that cost most beyond their ideal, with what the lanes do") {
  Observation o;
  o.launches.resize(2);
  for (LaunchCounters& launch : o.launches) {
    launch.kernel = "multiply";
    launch.lines.resize(2);
    LineCounters& broadcast = launch.lines[0];
    broadcast.site = {"lessons/g2_tiles.cu", 3};
    LineCounters& strided = launch.lines[1];
    strided.site = {"lessons/g2_tiles.cu", 2};
    for (LineCounters* line : {&broadcast, &strided}) {
      line->space = "global";
      line->operation = "load";
      line->size = 8;
      line->requests = 1000;
      line->worst.emplace();
    }
    broadcast.requests = broadcast.sectors = broadcast.necessary_sectors = 10'000;
    strided.sectors = 32000;
    strided.necessary_sectors = 8000;
    broadcast.worst->at.assign(32, 0);
    for (int lane = 0; lane < 32; ++lane) strided.worst->at.push_back(512 * lane);
  }
  TestReport report(step(), TestKind::targets);
  explain_counters(o, "sectors", step(), report);
  REQUIRE(report.details().size() == 2);  // the other line is ideal
  CHECK(report.details()[0].first == "line 2");
  approve("costly-line", text_of(report));
  // Where it would be too much even if all were ideal, the ideal line is part of it.
  TestReport more(step(), TestKind::targets);
  explain_counters(o, "sectors", step(), more, {.relation = "<=", .bound = 1.1, .measured = 6});
  approve("too-much-even-if-ideal", text_of(more));
}

TEST_CASE(
    "counters: where every request is ideal, there are too many of them, and the question is about that") {
  std::string all;
  for (const char* space : {"global", "shared"}) {
    Observation o;
    o.launches.resize(1);
    o.launches[0].lines.resize(1);
    LineCounters& line = o.launches[0].lines[0];
    line = {
        .site = {"lessons/g2_tiles.cu", 2}, .space = space, .operation = "load", .size = 8, .requests = 2000};
    line.sectors = line.necessary_sectors = 16'000;
    line.wavefronts = line.necessary_wavefronts = 4000;
    line.worst.emplace();
    for (int lane = 0; lane < 32; ++lane) line.worst->at.push_back(8 * lane);
    TestReport report(step(), TestKind::targets);
    const bool global = space == std::string("global");
    explain_counters(o, global ? "sectors" : "wavefronts", step(), report,
                     {.relation = "<=", .bound = 1.1, .measured = 2});
    all += text_of(report) + "\n";
    CHECK(text_under(report, "Think").find("threadIdx.x") == std::string::npos);
    CHECK(text_under(report, "Think").find("bank") == std::string::npos);
  }
  approve("too-many-requests", all);
}

TEST_CASE("counters: blocks that store nothing come first, where most accesses are theirs") {
  Observation o;
  o.launches.resize(2);
  LaunchCounters& launch = o.launches[0];
  launch.kernel = "multiply", launch.grid = {16, 16, 1}, launch.block = {16, 16, 1};
  launch.observed_blocks = 256;
  launch.lines.resize(1);
  LineCounters& line = launch.lines[0];
  line = {.site = {"lessons/g2_tiles.cu", 2},
          .space = "shared",
          .operation = "load",
          .size = 8,
          .requests = 1000};
  line.lanes = 32'000, line.wavefronts = line.necessary_wavefronts = 2000;
  launch.counters = {{"idle_blocks", 252}, {"idle_accesses", 31'000}};
  TestReport report(step(), TestKind::targets);
  explain_counters(o, "wavefronts per fma", step(), report, {.relation = "<=", .bound = 1.6, .measured = 92});
  approve("idle-blocks", text_of(report));
  // Of another kernel, few accesses, or no such counter: OpenCL.
  for (const auto& [metric, idle] :
       {std::pair{"wavefronts:other", 31'000.0}, {"wavefronts", 15'000.0}, {"wavefronts", 0.0}}) {
    launch.counters["idle_accesses"] = idle;
    if (idle == 0) launch.counters.clear();
    TestReport others(step(), TestKind::targets);
    explain_counters(o, metric, step(), others, {.relation = "<=", .bound = 1.6, .measured = 92});
    CHECK(text_of(others).find("store nothing") == std::string::npos);
  }
}

TEST_CASE("counters: elements of shared memory that are stored again and again come before banks") {
  Observation o;
  o.launches.resize(1);
  o.launches[0].lines.resize(2);
  LineCounters &store = o.launches[0].lines[0], &load = o.launches[0].lines[1];
  // As has 1,024 elements; all 256 threads store with a stride of 16 in each of 10 intervals.
  store = {.site = {"lessons/g2_tiles.cu", 2},
           .space = "shared",
           .operation = "store",
           .size = 8,
           .requests = 5120};
  store.lanes = 10 * 16 * 1024, store.intervals = 10, store.object_bytes = 8192;
  store.wavefronts = 40'000, store.necessary_wavefronts = 10'000;
  store.worst.emplace().object = "As";
  load = {.site = {"lessons/g2_tiles.cu", 4},
          .space = "shared",
          .operation = "load",
          .size = 8,
          .requests = 5120};
  load.lanes = 163'840, load.wavefronts = load.necessary_wavefronts = 10'000;
  const auto text = [&] {
    TestReport report(step(), TestKind::targets);
    explain_counters(o, "wavefronts", step(), report, {.relation = "<=", .bound = 1.6, .measured = 9.57});
    return text_of(report);
  };
  approve("repeated-stores", text());
  store.lanes = 10 * 1024;  // each element once
  CHECK(text().find("between two barriers") == std::string::npos);
  store.lanes = 10 * 16 * 1024, load.wavefronts = 1'000'000;  // it costs little
  CHECK(text().find("between two barriers") == std::string::npos);
}

TEST_CASE("counters: a number without lines has a question of its own") {
  std::string all;
  for (const char* metric :
       {"branches", "active_lanes", "barriers", "most_barriers", "grid_barriers", "local_bytes",
        "fp64_operations", "fp64_instructions", "conversions", "divergent_branches"}) {
    TestReport report(step(), TestKind::targets);
    ask_about(metric, report);
    CHECK_FALSE(text_under(report, "Think").empty());
    TestReport of_nothing(step(), TestKind::targets);
    explain_counters({}, metric, step(), of_nothing);
    CHECK_FALSE(text_under(of_nothing, "Think").empty());
    all += metric + ("\n" + text_of(report)) + text_of(of_nothing) + "\n";
  }
  approve("questions-about-numbers", all);
}

TEST_CASE("files of the checkout are named by their paths in it") {
  const std::string root = fs::path(step().source).parent_path().parent_path();
  TestReport report(step(), TestKind::correctness);
  report.set(Verdict::crashed,
             "threw: " + root + "/lessons/g2_tiles.cu:2: no, " + root + "/lessons/other.cu:3");
  report.detail("Printed", root + "/a.cpp and " + root + "/b.cpp");
  CHECK(report.message() == "threw: line 2: no, lessons/other.cu:3");
  CHECK(text_under(report, "Printed") == "a.cpp and b.cpp");
}

TEST_CASE("the judge reads only sources: the names come from the worker") {
  CHECK(line_text({"lessons/g2_tiles.cu", 2}, step()) == "As[ty][tx] = A[i];");
  CHECK(line_text({step().source, 3}, step()) == "Bs[ty][tx] = B[i];");
  CHECK(line_text({"lessons/g2_tiles.cu", 99}, step()).empty());
  CHECK(line_text({"lessons/g2_tiles.cu", -1}, step()).empty());
  CHECK(line_text({"/etc/passwd", 1}, step()).empty());
  CHECK(line_text({"lessons/../../../../etc/passwd", 1}, step()).empty());
  CHECK(line_text({"", 1}, step()).empty());
  const fs::path pipe = fs::path(step().source).parent_path() / "pipe";
  ::mkfifo(pipe.c_str(), 0600);
  CHECK(line_text({"lessons/pipe", 1}, step()).empty());  // a pipe would be waited for
  CHECK(line_name({"lessons/g2_tiles.cu", 2}, step()) == "line 2");
  CHECK(line_name({"common/helper.cuh", 7}, step()) == "helper.cuh:7");
}

TEST_CASE("a remark on uncoalesced lines, at the case where they move most, and none on coalesced ones") {
  const auto seen = [](std::uint64_t sectors) {
    Observation o;
    o.launches.resize(1);
    o.launches[0].lines.push_back({.site = {"lessons/g2_tiles.cu", 2},
                                   .space = "global",
                                   .operation = "load",
                                   .size = 4,
                                   .requests = 100,
                                   .lanes = 3200,
                                   .sectors = sectors,
                                   .necessary_sectors = 400});
    return o;
  };
  TestReport report(step(), TestKind::findings);
  remark_on_sectors({{"n = 1", seen(400)}, {"n = 2", seen(800)}, {"n = 9", seen(3200)}}, step(), report);
  approve("remark-on-sectors", text_of(report));
  TestReport ideal(step(), TestKind::findings);
  remark_on_sectors({{"n = 1", seen(400)}, {"n = 2", seen(500)}}, step(), ideal);
  CHECK(ideal.details().empty());
}

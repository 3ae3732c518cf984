/// @file
/// The other verbs, end to end, on a checkout whose judge does as it is told. Over 400 lines: a few cases for
/// each verb.
// Guards: README.md

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "common/base/random.hpp"
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

namespace {

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

}  // namespace

TEST_CASE("run: solutions with time, a table a lesson, a report") {
  const Checkout c;
  const json document = c.json({"run", "--device", "executor", "--report", "out"}, 0,
                               {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}});
  CHECK(document["machine"].is_object());
  CHECK(step(document, "g1_naive")["time"]["median"] == 0.01);
  CHECK(step(document, "g1_naive")["energy"]["joules"] == 0.0123);
  CHECK(step(document, "g1_naive")["tree"] == "solutions");
  CHECK(c.read("out/07-toy.svg").find("<svg") == 0);
  CHECK(c.read("out/07-toy.txt").find("10 ms ±10 %") != std::string::npos);
  const json plan = json::parse(c.read("plan"));
  CHECK(plan["kinds"] == json({"time"}));  // the others were judged before: phases_test.cpp
  CHECK(plan["steps"].size() == 3);
  CHECK(plan["steps"][1]["below"] == (c.root() / "build/workers/solutions/07-toy/c1_first.cpu").string());
  CHECK(plan["steps"][0]["below"] == "");
  CHECK(plan["steps"][0]["gpu"] == "");  // none runs it
  CHECK(plan["steps"][0]["source_hash"].get<std::string>().size() == 64);
  const ProcessResult shown = c.tool({"run", "07"});
  approve("run", shown);
}

TEST_CASE("SKIPPED is no failure, unless --strict") {
  const Checkout c;
  c.order("solutions/07-toy/c1_first.cpp", "all SKIPPED no such library");
  approve("skipped", c.tool({"run", "07/c1"}));
  c.json({"run", "07/c1", "--strict"}, 1);
}

TEST_CASE("INCONCLUSIVE is shown, counted and explained by run and bench, and no failure unless --strict") {
  const Checkout c;
  c.order("solutions/07-toy/c1_first.cpp", "time INCONCLUSIVE open, busy 45 %");
  c.order("lessons/07-toy/c1_first.cpp", "time INCONCLUSIVE open");
  const ProcessResult busy = c.tool({"run", "07"});
  approve("inconclusive-busy", busy);
  c.json({"run", "07/c1", "--strict"}, 1);
  const ProcessResult benched = c.tool({"bench", "07/c1"});
  approve("inconclusive-bench", benched);
  CHECK(c.tool({"bench", "07/c1", "--strict"}).status == 1);
  // check has no clock: a number that it cannot decide is for its student to look at.
  c.order("lessons/07-toy/c1_first.cpp", "targets INCONCLUSIVE balance");
  CHECK(c.tool({"check", "07/c1"}).status == 1);
  c.order("solutions/07-toy/c1_first.cpp", "time MISSED too slow");
  CHECK(c.tool({"run", "07/c1"}).status == 1);
}

TEST_CASE(
    "right with a number that cannot be measured here: PASS with a remark, and done; --strict fails it") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "targets SKIPPED sectors not measured: Oclgrind is not installed");
  c.order("lessons/07-toy/g1_naive.cu", "all WRONG first C[0][1]");
  const ProcessResult ended = c.tool({"check", "07/c1", "07/g1"});
  approve("not-measured", ended);
  CHECK(c.tool({"check", "07/c1"}).status == 0);
  CHECK(c.tool({"check", "07/c1", "--strict"}).status == 1);
  approve("not-measured-alone", c.tool({"check", "07/c1"}));
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "SKIPPED");
  approve("not-measured-list", c.tool({"list"}));
  approve("not-measured-hint", c.tool({"hint", "07/c1"}));
}

TEST_CASE("a verb takes the options that it uses, and its parts have their own") {
  const Checkout c;
  std::string all;
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"list", "--strict"},
                                             {"hint", "07/g1", "--seed", "3"},
                                             {"hint", "07/g1", "--size", "64"},
                                             {"predict", "07/g1", "--device", "executor"},
                                             {"diff", "07/g1", "--tree", "solutions"},
                                             {"watch", "07", "--strict"},
                                             {"profile", "07/g1", "--strict"},
                                             {"reproduce", "07", "--strict"},
                                             {"test", "07", "--tree", "lessons"},
                                             {"validate", "findings", "--size", "64"},
                                             {"handout", "--seed", "1"},
                                             {"grade", "key", "class.key", "--rungs", "07"},
                                             {"grade", "work", "--semicolon"},
                                             {"grade", "work", "--groups", "groups.txt"},
                                             {"grade", "export", "grades", "--json", "points.json"},
                                             {"--json", "points.json", "grade", "export", "grades"},
                                             {"course", "new", "--apply"},
                                             {"results", "pages", "--as", "h100"},
                                             {"course"},
                                             {"course", "chek"}}) {
    const ProcessResult ended = c.tool(call);
    CHECK(ended.status == 2);
    all += transcript(call, ended);
  }
  approve("unknown-options", all);
  const ProcessResult parts = c.tool({"grade", "--help"}), key = c.tool({"grade", "key", "--help"});
  CHECK(has(parts, "calibrate"));  // CLI11 lays the options out, and its versions differ
  CHECK(has(key, "./ladder grade key class.key"));
  CHECK_FALSE(has(key, "--sandbox"));
  CHECK(c.tool({"grade", "key", "class.key"}).status == 0);
}

TEST_CASE("an option that this call would ignore is refused, although the verb has it") {
  const Checkout c;
  c.write("sum.cu", "int main() {}\n");
  const std::string file = (c.root() / "sum.cu").string();
  std::string all;
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"check", file, "--seed", "3"},
           {"check", file, "--device", "cuda"},
           {"profile", file, "--under", "perf stat"},
           {"check", "07/c1", "-D", "N=3"},
           {"profile", "07/g1", "--std", "c++20"},
           {"profile", "07/g1", "--under", "perf stat", "--html", "a.html"},
           {"reproduce", "executor", "costs", "--max-size", "64"},
           {"docs", "--port", "8001"},
           {"grade", "work", "--out", "grades", "--budget", "3"},
           {"grade", "work", "--out", "grades", "--received", "times.csv"},
           {"grade", "--phase", "final", "--into", "grades", "--shard", "1/2"},
           {"grade", "export", "grades", "--column", "HW 1"},
           {"grade", "export", "grades", "--as", "moodle", "--names"}}) {
    const ProcessResult ended = c.tool(call);
    CHECK(ended.status == 2);
    all += transcript(call, ended);
  }
  approve("ignored-options", all);
}

TEST_CASE("list and the bare call say what there is and what comes next") {
  const Checkout c;
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "not started");
  CHECK(step(c.json({"list"}, 0), "c2_second")["state"] == "given");
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "not checked");
  c.json({"check", "07/c1"}, 0);
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "PASS");
  approve("where-am-i", c.tool({}));
  c.write("lessons/07-toy/c1_first.cpp", "// fake all PASS right\n// edited\n");
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "changed since PASS");
}

TEST_CASE("mistakes in a table are named, a line each, before anything is configured or compiled") {
  const Checkout c;
  const std::string table = c.read("lessons/07-toy/rungs.toml");
  std::string all;
  for (const std::string& mistake : {std::string("houres = 2\n"), std::string("matrix_products = 1\n"),
                                     std::string("ranks = \"two\"\nkind = \"optional\"\n")}) {
    c.write("lessons/07-toy/rungs.toml", table + mistake);
    const ProcessResult ended = c.tool({"check", "07/c1"}, {{"COLUMNS", "200"}});
    CHECK(ended.status == 2);
    all += transcript({"check", "07/c1"}, ended);
  }
  approve("mistakes-in-a-table", all);
  CHECK_FALSE(std::filesystem::exists(c.root() / "build/.ninja_log"));
  CHECK_FALSE(std::filesystem::exists(c.root() / "build/workers"));
  c.write("lessons/07-toy/rungs.toml", table);
  c.tool({"check", "07/c1"});
  CHECK(std::filesystem::exists(c.root() / "build/.ninja_log"));
  CHECK(std::filesystem::exists(c.root() / "build/workers"));
}

TEST_CASE("a table with a mistake is named with line and column; nothing else is said to be wrong") {
  const Checkout c;
  c.write("lessons/07-toy/rungs.toml", c.read("lessons/07-toy/rungs.toml") + "houres = 2\n");
  const json document = c.json({"list"}, 1);
  CHECK(document["lessons"][0]["problems"][0].get<std::string>().find(
            "lessons/07-toy/rungs.toml:22:1: [[rungs]]: unknown entry 'houres'; nearest: hours") == 0);
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  CHECK(c.tool({"check", "07/c1"}).status == 2);
}

TEST_CASE("reset: the skeleton comes back, the old file is kept") {
  const Checkout c;
  const std::string skeleton = c.read("lessons/07-toy/g1_naive.cu");
  c.write("lessons/07-toy/g1_naive.cu", "my work\n");
  const json document = c.json({"reset", "07/g1"}, 0);
  CHECK(c.read("lessons/07-toy/g1_naive.cu") == skeleton);
  CHECK(ladder::read_text(step(document, "g1_naive")["kept"].get<std::string>()) == "my work\n");
  CHECK(step(document, "g1_naive")["from"] == "cut from the solution");
  approve("reset-of-a-skeleton", c.tool({"reset", "07/g1"}));
}

TEST_CASE("reset: as handed out, else as cloned") {
  const Checkout c;
  const auto git = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-c", "user.name=x", "-c", "user.email=x@x"});
    return ladder::run_process({.arguments = std::move(arguments), .folder = c.root()});
  };
  if (!git({"init", "-q"}).ok()) LADDER_SKIP("git is not here");
  c.write("lessons/07-toy/c1_first.cpp", "as handed out\n");
  git({"add", "-A"});
  REQUIRE(git({"commit", "-q", "-m", "x"}).ok());
  git({"tag", "handout"});
  c.write("lessons/07-toy/c1_first.cpp", "as committed later\n");
  git({"commit", "-q", "-a", "-m", "y"});
  c.tool({"reset", "07/c1"});
  CHECK(c.read("lessons/07-toy/c1_first.cpp") == "as handed out\n");
  git({"tag", "-d", "handout"});
  c.tool({"reset", "07/c1"});
  CHECK(c.read("lessons/07-toy/c1_first.cpp") == "as committed later\n");
}

TEST_CASE("reproduce prints the records' tables") {
  const Checkout c;
  const json document = c.json({"reproduce", "07", "--budget", "3", "--max-size", "64", "--only", "table"}, 0,
                               {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}});
  CHECK(document["lessons"][0]["reproductions"][0]["title"] == "Table 2");
  const json plan = json::parse(c.read("plan"));
  CHECK(plan["cell_seconds"] == 3.0);
  CHECK(plan["size"] == 64);
  CHECK(plan["only"] == "table");
  CHECK(plan["kinds"] == json({"reproduce"}));
  approve("reproduce", c.tool({"reproduce", "07"}));
  REQUIRE(document["lessons"][0]["reproductions"].size() ==
          1);  // the later record of a table replaces the earlier one
  CHECK(plan["limits"]["call_seconds"] == 20.0);
  c.tool({"reproduce", "07", "--report", "out"});
  CHECK(json::parse(c.read("out/reproduce-07.json"))["lessons"][0]["reproductions"][0]["title"] == "Table 2");
  CHECK(c.read("out/reproduce-07.txt").find("in seconds") != std::string::npos);
}

TEST_CASE("reproduce --only: what it was is in the file; not with --report, not for the executor") {
  const Checkout c;
  CHECK(c.json({"reproduce", "07", "--only", "table"}, 0)["only"] == "table");
  CHECK_FALSE(c.json({"reproduce", "07"}, 0).contains("only"));
  std::string all;
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"reproduce", "07", "--only", "nothing"},
                                             {"reproduce", "07", "--only", "table", "--report", "out"},
                                             {"reproduce", "executor", "costs", "--only", "table"}})
    all += transcript(call, c.tool(call, {{"COLUMNS", "200"}}));
  approve("reproduce-only", all);
}

TEST_CASE("test: trees, solutions, skeletons and mutants, counted on the last line") {
  const Checkout c;
  const std::vector<std::string> call = {"test",   "07",        "--part", "tree",
                                         "--part", "solutions", "--part", "mutants"};
  const ProcessResult good = c.tool(call);
  INFO(good.output);
  CHECK(good.status == 0);  // its parts end in any order
  CHECK(last_line(good.output).find(" passed, 0 failed, 0 skipped") != std::string::npos);
  // A skeleton that was worked on, a mutant that survives, an edit that no longer applies: each is found.
  c.write("lessons/07-toy/c1_first.cpp", c.read("lessons/07-toy/c1_first.cpp") + "// mine\n");
  std::string mutants = c.read("tests/07-toy/mutants/g1_naive.mutants");
  mutants.replace(mutants.find("fake all WRONG"), 14, "fake all PASS ");
  mutants.replace(mutants.rfind("  work();"), 9, "  gone();");
  c.write("tests/07-toy/mutants/g1_naive.mutants", mutants);
  const json document = c.json(call, 1);
  CHECK(document["tests"]["failed"] == 4);
  std::string all;
  for (const json& f : document["tests"]["failures"]) all += f["text"].get<std::string>() + "\n";
  CHECK(all.find("lessons/07-toy/c1_first.cpp:5 is\n// mine") != std::string::npos);
  CHECK(all.find("expected WRONG, got PASS") != std::string::npos);
  CHECK(all.find("the lines to find are not in the solution") != std::string::npos);
}

TEST_CASE(
    "test --changed: what has passed and cannot have changed is left out and named; it counts as nothing") {
  const Checkout c;
  const auto test = [&](const std::string& seed) {
    return c.tool({"test", "07", "--changed", "--part", "solutions", "--seed", seed}, {{"COLUMNS", "200"}});
  };
  // A tenth of what is left out is drawn and runs all the same: seeds that draw none of three, and one of them.
  const auto draws = [](std::uint64_t seed) {
    ladder::Random random(seed);
    int drawn = 0;
    for (int i = 0; i < 3; ++i) drawn += random.below(10) == 0;
    return drawn;
  };
  std::uint64_t none = 1, one = 1;
  while (draws(none) != 0) ++none;
  while (draws(one) != 1) ++one;
  const std::string seed = std::to_string(none);
  const ProcessResult first = test(seed);
  approve("changed-first-time", first);
  const ProcessResult second = test(seed);
  approve("changed-nothing", second);
  CHECK(has(second, "drawn by seed " + seed));
  approve("changed-one-drawn", test(std::to_string(one)));
  // Without --changed nothing is left out.
  CHECK(last_line(c.tool({"test", "07", "--part", "solutions"}).output) == last_line(first.output));
  // A change of one step's solution: its jobs run, and fail now.
  c.order("solutions/07-toy/g1_naive.cu", "all WRONG");
  const ProcessResult third = test(seed);
  CHECK_FALSE(has(third, "solutions of 07/g1 (20"));
  approve("changed-solution", third);
  // What has failed is not left out.
  const ProcessResult fourth = test(seed);
  CHECK_FALSE(has(fourth, "solutions of 07/g1 (20"));
  CHECK(fourth.status == 1);
}

TEST_CASE("test: a contract of more than 60 lines fails") {
  const Checkout c;
  const auto of_lines = [&](int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) text += "// a line\n";
    c.write("lessons/07-toy/problem.hpp", text);
    return c.tool({"test", "07", "--part", "lines"});
  };
  CHECK(of_lines(60).status == 0);
  const ProcessResult longer = of_lines(61);
  CHECK(longer.status == 1);
  approve("contract-of-61-lines", longer);
}

TEST_CASE("test: a skeleton that is not NOT STARTED fails") {
  const Checkout c;
  const json document = c.json({"test", "07", "--part", "skeletons"}, 1);  // the fake judge says PASS
  CHECK(document["tests"]["failed"] == 2);
}

TEST_CASE("test: what fails is named where it fails, with its last lines, and not only at the end") {
  const Checkout c;
  c.write("build/test-first.sh",
          "#!/bin/sh\necho '<testsuites><testcase name=\"sums\"><failure>FAILED:\nCHECK( 1 == 2 )\nat f.cpp:3"
          "</failure></testcase></testsuites>' >\"$4\"; exit 1\n");
  c.write("build/test-second.sh",
          "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo said $i; done; kill -SEGV $$\n");
  c.write("tests/common/a/bad_test.sh",
          "echo before; echo the last words; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo \"ok      check "
          "$i\"; done; "
          "exit 3\n");
  c.write("tests/common/a/idle_test.sh", "echo first; echo there is no printer; exit 77\n");
  c.write("tests/common/a/good_test.sh", "exit 0\n");
  const ProcessResult ended = c.tool({"test", "--part", "units"}, {{"COLUMNS", "200"}});
  INFO(ended.output);
  CHECK(ended.status == 1);
  // Programs run next to each other, so that their failures come in any order.
  const std::string now = ended.output.substr(0, ended.output.find("harness and tool"));
  CHECK(
      now.find("FAILED  test-first: sums\n        FAILED:\n        CHECK( 1 == 2 )\n        at f.cpp:3\n") !=
      std::string::npos);
  CHECK(now.find("FAILED  test-second\n        ended with status 139 before its report was whole") !=
        std::string::npos);
  CHECK(now.find("\n        said 12\n") != std::string::npos);
  CHECK(now.find("FAILED  tests/common/a/bad_test.sh\n        ended with status 3\n        before\n"
                 "        the last words\n") != std::string::npos);
  CHECK(now.find("no printer") == std::string::npos);
  // A script that could not run is skipped, with its reason: it did not pass.
  CHECK(has(ended, "skipped:\n  tests/common/a/idle_test.sh\n      there is no printer\n"));
  CHECK(last_line(ended.output).find("2 passed, 3 failed, 1 skipped") != std::string::npos);
}

TEST_CASE(
    "test --renew: programs with approved outputs write them; what differs is listed, what is left over "
    "goes") {
  const Checkout c;
  c.write("tests/common/CMakeLists.txt", "ladder_unit_test(test-first one_test.cpp two_test.cpp)\n");
  const std::string head = "/// A test.\n// Guards: README.md\n#include \"tests/common/approved.hpp\"\n";
  c.write("tests/common/one_test.cpp",
          head + "TEST_CASE(\"a\") { approve(\"said\", a()); approve(\"new\", b()); }\n");
  c.write("tests/common/two_test.cpp", head + "TEST_CASE(\"b\") { approve(\"same\", c()); }\n");
  // Says with which filter it was started, and writes what a real one would.
  c.write("build/test-first.sh",
          "#!/bin/sh\n[ \"$LADDER_RENEW\" = 1 ] || exit 9\ncd \"$LADDER_ROOT/tests/common/approved\"\n"
          "echo \"now $5 $6\" >one.said.txt\necho b >one.new.txt\necho c >two.same.txt\n"
          "echo '<testsuites><testcase name=\"a\"/></testsuites>' >\"$4\"\n");
  c.write("tests/common/approved/one.said.txt", "before\n");
  c.write("tests/common/approved/one.gone.txt", "left over\n");
  c.write("tests/common/approved/two.same.txt", "c\n");
  approve("renew", c.tool({"test", "--renew"}));
  CHECK(c.read("tests/common/approved/one.said.txt") == "now -# [#one_test],[#two_test]\n");
  CHECK_FALSE(std::filesystem::exists(c.root() / "tests/common/approved/one.gone.txt"));
  approve("renew-one-source", c.tool({"test", "--renew", "two_test.cpp"}));
  CHECK(c.read("tests/common/approved/one.said.txt") == "now -# [#two_test]\n");
  approve("renew-nothing-differs", c.tool({"test", "--renew", "two"}));
  std::string all;
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"test", "--renew", "tow"},
                                             {"test", "--renew", "--changed"},
                                             {"test", "--renew", "--part", "tree"}}) {
    const ProcessResult ended = c.tool(call);
    CHECK(ended.status == 2);
    all += transcript(call, ended);
  }
  approve("renew-refused", all);
  // A file that no check uses is found by the trees, too.
  c.write("tests/common/approved/one.gone.txt", "left over\n");
  CHECK(has(c.tool({"test", "--part", "tree"}, {{"COLUMNS", "200"}}), "tests/common/approved/one.gone.txt"));
  c.write("build/test-first.sh", "#!/bin/sh\nexit 1\n");
  CHECK(c.tool({"test", "--renew"}).status == 1);
}

TEST_CASE("test: what a sanitizer reports of a child is a failure, and what was left out is counted") {
  const Checkout c;
  // A CMake that configures one program, whose child has an error and whose own test passes all the same.
  c.write("bin/cmake",
          "#!/bin/sh\nmkdir -p \"$6\"; cp build/test-sanitized.sh \"$6/test-memory.sh\"\n"
          "[ \"$7\" = \"-DLADDER_SANITIZE=$LADDER_BUILD\" ] || exit 1\n"
          "printf 'rule EXECUTABLE\\n  command = cp $in $out && chmod +x $out\\n"
          "rule none\\n  command = true\\n  generator = 1\\nbuild build.ninja: none\\n"
          "build tests/test-memory: EXECUTABLE test-memory.sh\\n' >\"$6/build.ninja\"\n");
  std::filesystem::permissions(c.root() / "bin/cmake", std::filesystem::perms::owner_all);
  c.write("build/test-sanitized.sh",
          "#!/bin/sh\n"
          "if [ \"$1 $2\" = '--list-tests [plants-a-fault]' ]; then echo; echo '3 matching test cases'; "
          "exit; fi\n"
          "[ \"$1\" != --list-tests ] || exit 0\n"
          "[ \"$5\" = '~[plants-a-fault]~[other-machine]' ] || exit 9\n"
          "log=${ASAN_OPTIONS#log_path=\\'}\n"
          "printf '=====\\n==7==ERROR: AddressSanitizer: heap-use-after-free\\n    #0 0x1 in f "
          "a.cpp:3\\nShadow\\n' "
          ">${log%%\\'*}.7\n"
          "echo '<testsuites><testcase name=\"a\"/></testsuites>' >\"$4\"\n");
  const std::string path = (c.root() / "bin").string() + ":" + std::getenv("PATH");
  const ProcessResult ended = c.tool({"test", "--part", "sanitized"}, {{"PATH", path}, {"COLUMNS", "200"}});
  approve("sanitized", ended);
}

TEST_CASE("test: root runs as nobody too what the user matters to", "[as-root]") {
  if (geteuid() != 0) LADDER_SKIP("tests as nobody: only root can become nobody");
  const Checkout c;
  c.write("build/test-tool.sh",
          "#!/bin/sh\ntouch \"$HOME/mine\" \"$TMPDIR/too\" || exit 1\n"
          "echo \"<testsuites><testcase name='x'><failure>user $(id -u) of $(id -G)</failure></testcase>"
          "</testsuites>\" | sed \"s/'/\\\"/g\" >\"$4\"; exit 1\n");
  const ProcessResult closed = c.tool({"test", "--part", "nobody"}, {{"COLUMNS", "400"}});
  approve("nobody-may-not-read", closed);
  std::filesystem::permissions(c.root(), std::filesystem::perms(0755));
  c.write("build/bin/ladder-dev", "");
  c.write("ladder", "");
  std::filesystem::permissions(c.root() / "build/bin/ladder-dev", std::filesystem::perms(0755));
  const ProcessResult open = c.tool({"test", "--part", "nobody"}, {{"COLUMNS", "400"}});
  approve("nobody-fails", open);
}

TEST_CASE("what is given to nobody: the folder and what is in it, not what its links show to", "[as-root]") {
  if (geteuid() != 0) LADDER_SKIP("files as nobody: only root can give them away");
  const Checkout c;
  c.write("given/mine", "");
  c.write("other", "");
  std::filesystem::create_symlink(c.root() / "other", c.root() / "given/link");
  ladder::give_to_nobody(c.root() / "given");
  struct stat mine {
  }, other{};
  REQUIRE((stat((c.root() / "given/mine").c_str(), &mine) == 0 &&
           stat((c.root() / "other").c_str(), &other) == 0));
  CHECK(mine.st_uid == 65534);
  CHECK(other.st_uid == 0);
}

TEST_CASE("where results cannot be written is said before the work") {
  const Checkout c;
  c.write("taken", "a file\n");
  c.write("folder/inside", "a file in a folder\n");
  const std::vector<std::vector<std::string>> calls = {
      {"run", "07", "--json", "taken/results.json"},
      {"check", "07/c1", "--json", "folder"},
      {"run", "07", "--report", "taken"},
      {"reproduce", "07", "--report", "taken/deeper"},
      {"profile", "07/g1", "--html", "taken/g1.html"},
      {"profile", "07/g1", "--trace", "folder"},
      {"check", "mine.cu", "-o", "taken/mine"},
      {"doctor", "--json", "taken/doctor.json"},
  };
  std::string all;
  for (const auto& call : calls) {
    const ProcessResult ended =
        c.tool(call, {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}, {"COLUMNS", "200"}});
    CHECK(ended.status == 2);
    CHECK_FALSE(std::filesystem::exists(c.root() / "plan"));  // no judge was started
    all += transcript(call, ended);
  }
  approve("results-cannot-be-written", all);
  CHECK(c.read("taken") == "a file\n");
  // A file that is there stays until there is something new, and nothing stays of the trial.
  c.write("results.json", "old\n");
  CHECK(c.tool({"check", "07/none", "--json", "results.json"}).status == 2);
  CHECK(c.read("results.json") == "old\n");
  for (const auto& entry : std::filesystem::directory_iterator(c.root()))
    CHECK(entry.path().string().find(".part") == std::string::npos);
}

TEST_CASE("doctor writes the same schema") {
  const Checkout c;
  const json document = c.json({"doctor", "--no-measure"}, 0);
  CHECK(document["machine"].is_object());
}

TEST_CASE("doctor tells what lessons need that is missing, from lists of their own") {
  const Checkout c;
  c.write("common/tool/packages.txt", "by-hand  no-such-thing  -  every lesson; SKIPPED\n");
  c.write("lessons/07-toy/given/packages.txt",
          "# a comment\nlessons  no-such-toy  toy-tools  the play of 07; SKIPPED\n");
  c.write("lessons/08-plain/given/nothing.txt", "");
  const json missing = c.json({"doctor", "--no-measure"}, 0)["machine"]["missing"];
  CHECK(missing.size() >= 2);
  CHECK(std::count(missing.begin(), missing.end(),
                   json{{"name", "no-such-toy"},
                        {"cost", "the play of 07; SKIPPED"},
                        {"install", "apt-get install toy-tools"}}) == 1);
  CHECK(std::any_of(missing.begin(), missing.end(),
                    [](const json& m) { return m["name"] == "no-such-thing"; }));
}

TEST_CASE("reproduce executor costs: a table with bounds, kept next to the other parts") {
  const Checkout c;
  c.write("out/executor.json", R"({"programs":[1],"findings":[2],"costs":[3],"interrupted":true})");
  const ProcessResult ended =
      c.tool({"reproduce", "executor", "costs", "--report", "out", "--seed", "5", "--json", "costs.json"},
             {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}, {"COLUMNS", "200"}});
  approve("executor-costs", ended);
  const json kept = json::parse(c.read("out/executor.json"));
  CHECK(kept == json::parse(c.read("costs.json")));
  CHECK(kept["programs"] == json({1}));
  CHECK(kept["findings"] == json({2}));
  CHECK_FALSE(kept.contains("interrupted"));
  REQUIRE(kept["costs"].size() == 2);
  const json& tiled = kept["costs"][0]["cost"];
  CHECK(tiled["processor"]["ratio"]["median"] == 2.0);
  CHECK(tiled["wall"]["ratio"]["median"] == 0.5);
  CHECK(tiled["rounds"] == 5);
  CHECK(kept["costs"][1]["cost"]["wall"]["ratio"]["median"] == 50.0);
  const json plan = json::parse(c.read("plan"));
  CHECK(plan["kinds"] == json({"costs"}));
  CHECK(plan["seed"] == 5);
  CHECK(plan["steps"].size() == 1);
  CHECK(plan["steps"][0]["backend"] == "executor");
  CHECK(c.read("speed.arguments") == "512 9 5\n");
}

TEST_CASE(
    "reproduce executor solutions: a row for each CUDA solution, also for one that could not be counted") {
  const Checkout c;
  c.write("out/executor.json", R"({"findings":[2],"dates":{"findings":"2026-01-02"}})");
  const auto table = [&](const char* name) {
    const ProcessResult ended =
        c.tool({"reproduce", "executor", "solutions", "--report", "out"}, {{"COLUMNS", "200"}});
    CHECK(ended.status == 1);  // half of the table is not there
    approve(name, ended);
    return json::parse(c.read("out/executor.json"));
  };
  const json kept = table("executor-not-counted");
  CHECK(kept["findings"] == json({2}));
  CHECK(kept["dates"]["findings"] == "2026-01-02");
  CHECK(kept["dates"]["solutions"].get<std::string>().size() == 20);
  REQUIRE(kept["solutions"].size() == 1);
  CHECK(kept["solutions"][0]["step"] == "07-toy/g1_naive");
  CHECK(kept["solutions"][0]["kernels"][0]["counters"]["global_load_sectors"]["executor"] == 320);
  CHECK_FALSE(kept["solutions"][0].contains("reason"));
  c.order("solutions/07-toy/g1_naive.cu", "profile CRASHED it ended");
  const json crashed = table("executor-crashed");
  REQUIRE(crashed["solutions"].size() == 1);
  CHECK(crashed["solutions"][0]["reason"] == "CRASHED  it ended");
}

TEST_CASE("reproduce executor: a step's row is renewed, with its date, and the others stay") {
  const Checkout c;
  c.write("out/executor.json", R"({"dates": {"solutions": "2026-01-02"},
                                   "solutions": [{"step": "01-other/g9_last"}, {"step": "07-toy/g1_naive"}]})");
  const ProcessResult ended =
      c.tool({"reproduce", "executor", "07/g1", "--report", "out"}, {{"COLUMNS", "200"}});
  INFO(ended.output);
  const json kept = json::parse(c.read("out/executor.json"));
  CHECK(kept["dates"]["solutions"] == "2026-01-02");
  REQUIRE(kept["solutions"].size() == 2);
  CHECK(kept["solutions"][0] == json({{"step", "01-other/g9_last"}}));
  CHECK(kept["solutions"][1]["date"].get<std::string>().size() == 20);
  CHECK(kept["solutions"][1]["kernels"].size() > 0);
  approve("executor-of-a-host-step", c.tool({"reproduce", "executor", "07/c1"}));
}

TEST_CASE("reproduce executor costs: what cannot be measured is said, with status 1; bad input is status 2") {
  const Checkout c;
  c.order("solutions/07-toy/g1_naive.cu", "costs WRONG n = 64: 3 of 4 wrong");
  const ProcessResult wrong = c.tool({"reproduce", "executor", "costs"}, {{"COLUMNS", "200"}});
  approve("costs-wrong", wrong);
  c.order("solutions/07-toy/g1_naive.cu", "costs NO RECORD");
  const ProcessResult silent = c.tool({"reproduce", "executor", "costs"}, {{"COLUMNS", "200"}});
  approve("costs-not-run", silent);
  c.order("solutions/07-toy/g1_naive.cu", "all PASS right");
  c.write("build/speed.sh", "#!/bin/sh\necho 1 1 1 1 1 1\necho WRONG\nexit 1\n");
  const ProcessResult speed = c.tool({"reproduce", "executor", "costs"}, {{"COLUMNS", "200"}});
  approve("costs-program-ended", speed);
  approve("costs-unknown-part", c.tool({"reproduce", "executor", "cost"}));
}

TEST_CASE("similarity without sim_c++: one line that names its package, and no failure unless --strict") {
  const Checkout c;
  const std::map<std::string, std::string> without = {{"PATH", "/nowhere"}};
  c.write("grades/records/.keep", "");
  const ProcessResult ended = c.tool({"similarity", "grades"}, without);
  approve("similarity-without-its-program", ended);
  CHECK(c.tool({"similarity", "grades", "--strict"}, without).status == 1);
}

/// @file
/// The other verbs, end to end, on a checkout whose judge does as it is told. Over 400 lines: a few cases for each verb.
// Guards: README.md

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "common/base/random.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::Ended;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::step;
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
  const Ended shown = c.tool({"run", "07"});
  CHECK(has(shown, "3 steps: 3 PASS."));
  INFO(shown.output);
  CHECK(has(shown, "12.3 mJ"));
  CHECK(has(shown, "1.02  <= 1.1  met"));
  CHECK(has(shown, "n 64"));
}

TEST_CASE("SKIPPED is no failure, unless --strict") {
  const Checkout c;
  c.order("solutions/07-toy/c1_first.cpp", "all SKIPPED no such library");
  const Ended ended = c.tool({"run", "07/c1"});
  CHECK(ended.status == 0);
  CHECK(has(ended, "07/c1 SKIPPED  no such library"));
  c.json({"run", "07/c1", "--strict"}, 1);
}

TEST_CASE("INCONCLUSIVE is shown, counted and explained by run and bench, and no failure unless --strict") {
  const Checkout c;
  c.order("solutions/07-toy/c1_first.cpp", "time INCONCLUSIVE open, busy 45 %");
  c.order("lessons/07-toy/c1_first.cpp", "time INCONCLUSIVE open");
  const Ended busy = c.tool({"run", "07"});
  INFO(busy.output);
  CHECK(busy.status == 0);
  CHECK(has(busy, "3 steps: 2 PASS, 1 INCONCLUSIVE."));
  CHECK(
      has(busy, "INCONCLUSIVE, this machine was busy: 45 %: 07/c1. Neither met nor missed, and no failure."));
  CHECK(has(busy, "07/c1 INCONCLUSIVE  right; open, busy 45 %"));
  c.json({"run", "07/c1", "--strict"}, 1);
  const Ended benched = c.tool({"bench", "07/c1"});
  INFO(benched.output);
  CHECK(benched.status == 0);
  CHECK(has(benched, "INCONCLUSIVE, this machine differs from itself"));
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
  const Ended ended = c.tool({"check", "07/c1", "07/g1"});
  INFO(ended.output);
  CHECK(has(ended, "PASS, sectors not measured (Oclgrind is not installed)  right"));
  CHECK(has(ended, "2 steps: 1 PASS (1 of them with a number that could not be measured here), 1 WRONG."));
  CHECK(has(ended, "\nPASS, sectors not measured (Oclgrind is not installed): 07/c1."));
  CHECK_FALSE(has(ended, "c1_first.cpp  SKIPPED"));
  CHECK(c.tool({"check", "07/c1"}).status == 0);
  CHECK(c.tool({"check", "07/c1", "--strict"}).status == 1);
  CHECK(has(c.tool({"check", "07/c1"}), "Next             07/g1"));
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "SKIPPED");
  CHECK(has(c.tool({"list"}), "PASS, sectors not measured"));
  CHECK(has(c.tool({}), "1 of 2 required steps done"));
  CHECK(has(c.tool({"hint", "07/c1"}), "is right; what is not measured cannot be measured here"));
}

TEST_CASE("a verb takes the options that it uses, and its parts have their own") {
  const Checkout c;
  const auto refused = [&](const std::vector<std::string>& words, const std::string& option) {
    const Ended ended = c.tool(words);
    INFO(ended.output);
    CHECK(ended.status == 2);
    CHECK(has(ended, "unknown option '" + option + "'"));
  };
  refused({"list", "--strict"}, "--strict");
  refused({"handout", "--seed", "1"}, "--seed");
  refused({"grade", "key", "class.key", "--rungs", "07"}, "--rungs");
  refused({"grade", "work", "--semicolon"}, "--semicolon");
  refused({"course", "new", "--apply"}, "--apply");
  refused({"results", "pages", "--as", "h100"}, "--as");
  const Ended parts = c.tool({"grade", "--help"}), key = c.tool({"grade", "key", "--help"});
  CHECK(has(parts, "calibrate"));
  CHECK(has(key, "./ladder grade key class.key"));
  CHECK_FALSE(has(key, "--sandbox"));
  CHECK(c.tool({"grade", "key", "class.key"}).status == 0);
  CHECK(has(c.tool({"course"}), "course what? new, check, purge: ./ladder help course"));
  CHECK(has(c.tool({"course", "chek"}), "unknown part of course 'chek'; nearest: check"));
}

TEST_CASE("list and the bare call say what there is and what comes next") {
  const Checkout c;
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "not started");
  CHECK(step(c.json({"list"}, 0), "c2_second")["state"] == "given");
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "not checked");
  c.json({"check", "07/c1"}, 0);
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "PASS");
  const Ended where = c.tool({});
  CHECK(where.status == 0);
  CHECK(has(where, "1 of 2 required steps done"));
  CHECK(has(where,
            "  why            07/c1 is done, and this is the next required rung of its ladder that is left"));
  CHECK(has(where, "  then           ./ladder check 07/g1"));
  c.write("lessons/07-toy/c1_first.cpp", "// fake all PASS right\n// edited\n");
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "changed since PASS");
}

TEST_CASE("a table with a mistake is named with line and column; nothing else is said to be wrong") {
  const Checkout c;
  c.write("lessons/07-toy/rungs.toml", c.read("lessons/07-toy/rungs.toml") + "houres = 2\n");
  const json document = c.json({"list"}, 1);
  CHECK(document["lessons"][0]["problems"][0].get<std::string>().find(
            "lessons/07-toy/rungs.toml:22:1: [[rungs]]: unknown entry 'houres'; nearest: hours") == 0);
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  CHECK(c.tool({"check", "07/c1"}).status == 1);
}

TEST_CASE("reset: the skeleton comes back, the old file is kept") {
  const Checkout c;
  const std::string skeleton = c.read("lessons/07-toy/g1_naive.cu");
  c.write("lessons/07-toy/g1_naive.cu", "my work\n");
  const json document = c.json({"reset", "07/g1"}, 0);
  CHECK(c.read("lessons/07-toy/g1_naive.cu") == skeleton);
  CHECK(ladder::read_text(step(document, "g1_naive")["kept"].get<std::string>()) == "my work\n");
  CHECK(step(document, "g1_naive")["from"] == "cut from the solution");
  CHECK(has(c.tool({"reset", "07/g1"}), "is the skeleton already"));
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
  CHECK(has(c.tool({"reproduce", "07"}), "in seconds"));
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
  const Ended nothing = c.tool({"reproduce", "07", "--only", "nothing"}, {{"COLUMNS", "200"}});
  INFO(nothing.output);
  CHECK(nothing.status == 1);
  CHECK(has(nothing, "has \"nothing\" in its title; all of them: ./ladder reproduce 07"));
  const Ended stored = c.tool({"reproduce", "07", "--only", "table", "--report", "out"});
  INFO(stored.output);
  CHECK(stored.status == 2);
  CHECK(has(stored, "use --json"));
  const Ended executor = c.tool({"reproduce", "executor", "costs", "--only", "table"});
  INFO(executor.output);
  CHECK(executor.status == 2);
  CHECK(has(executor, "--only is for lessons"));
}

TEST_CASE("test: trees, solutions, skeletons and mutants, counted on the last line") {
  const Checkout c;
  const std::vector<std::string> call = {"test",   "07",        "--part", "tree",
                                         "--part", "solutions", "--part", "mutants"};
  const Ended good = c.tool(call);
  INFO(good.output);
  CHECK(good.status == 0);
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
  const Ended first = test(seed);
  INFO(first.output);
  CHECK(first.status == 0);
  CHECK(has(first, "0 jobs left out; 0 more"));
  CHECK(last_line(first.output) == "3 passed, 0 failed, 0 skipped");
  const Ended second = test(seed);
  INFO(second.output);
  CHECK(second.status == 0);
  CHECK(has(second,
            "left out of \"solutions PASS\", passed before and nothing that decides it has changed since:"));
  CHECK(has(second, "solutions of 07/g1 (20"));
  CHECK(has(second, "3 jobs left out; 0 more, drawn by seed " + seed));
  CHECK(last_line(second.output) == "0 passed, 0 failed, 0 skipped");
  const Ended drawn = test(std::to_string(one));
  CHECK(has(drawn, "2 jobs left out; 1 more"));
  CHECK(last_line(drawn.output) == "1 passed, 0 failed, 0 skipped");
  // Without --changed nothing is left out.
  CHECK(last_line(c.tool({"test", "07", "--part", "solutions"}).output) == last_line(first.output));
  // A change of one step's solution: its jobs run, and fail now.
  c.order("solutions/07-toy/g1_naive.cu", "all WRONG");
  const Ended third = test(seed);
  INFO(third.output);
  CHECK(third.status == 1);
  CHECK_FALSE(has(third, "solutions of 07/g1 (20"));
  CHECK(has(third, "solutions of 07/c1 (20"));
  // What has failed is not left out.
  const Ended fourth = test(seed);
  CHECK_FALSE(has(fourth, "solutions of 07/g1 (20"));
  CHECK(fourth.status == 1);
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
  const Ended ended = c.tool({"test", "--part", "units"}, {{"COLUMNS", "200"}});
  INFO(ended.output);
  CHECK(ended.status == 1);
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
  const Ended ended = c.tool({"test", "--part", "sanitized"}, {{"PATH", path}, {"COLUMNS", "200"}});
  INFO(ended.output);
  CHECK(ended.status == 1);
  CHECK(has(ended,
            "FAILED  test-memory sanitized\n        ==7==ERROR: AddressSanitizer: heap-use-after-free\n"
            "        #0 0x1 in f a.cpp:3\n"));
  CHECK(has(ended, "3 test cases: they plant a fault"));
  CHECK(last_line(ended.output).find("1 passed, 1 failed, 1 skipped") != std::string::npos);
}

TEST_CASE("test: root runs as nobody too what the user matters to") {
  if (geteuid() != 0) LADDER_SKIP("tests as nobody: only root can become nobody");
  const Checkout c;
  c.write("build/test-tool.sh",
          "#!/bin/sh\ntouch \"$HOME/mine\" \"$TMPDIR/too\" || exit 1\n"
          "echo \"<testsuites><testcase name='x'><failure>user $(id -u) of $(id -G)</failure></testcase>"
          "</testsuites>\" | sed \"s/'/\\\"/g\" >\"$4\"; exit 1\n");
  const Ended closed = c.tool({"test", "--part", "nobody"}, {{"COLUMNS", "400"}});
  INFO(closed.output);
  CHECK(has(closed, "nobody may not read " + c.root().string()));
  std::filesystem::permissions(c.root(), std::filesystem::perms(0755));
  c.write("build/bin/ladder-dev", "");
  c.write("ladder", "");
  std::filesystem::permissions(c.root() / "build/bin/ladder-dev", std::filesystem::perms(0755));
  const Ended open = c.tool({"test", "--part", "nobody"}, {{"COLUMNS", "400"}});
  INFO(open.output);
  CHECK(has(open, "FAILED  test-tool as nobody: x\n        user 65534 of 65534\n"));
  CHECK(has(open, "as nobody: harness, tool, lesson 00"));
}

TEST_CASE("what is given to nobody: the folder and what is in it, not what its links show to") {
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
  struct Try {
    std::vector<std::string> call;
    std::string said;
  };
  const std::vector<Try> tries = {
      {{"run", "07", "--json", "taken/results.json"},
       "--json: cannot write taken/results.json: Not a directory"},
      {{"check", "07/c1", "--json", "folder"}, "--json: cannot write folder: it is a folder"},
      {{"run", "07", "--report", "taken"}, "--report: cannot write taken/report: Not a directory"},
      {{"reproduce", "07", "--report", "taken/deeper"}, "--report: cannot write taken/deeper/report"},
      {{"profile", "07/g1", "--html", "taken/g1.html"}, "--html: cannot write taken/g1.html"},
      {{"profile", "07/g1", "--trace", "folder"}, "--trace: cannot write folder: it is a folder"},
      {{"check", "mine.cu", "-o", "taken/mine"}, "-o: cannot write taken/mine"},
      {{"doctor", "--json", "taken/doctor.json"}, "--json: cannot write taken/doctor.json"}};
  for (const Try& one : tries) {
    const Ended ended = c.tool(one.call, {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}});
    INFO(ended.output);
    CHECK(ended.status == 2);
    CHECK(has(ended, "ladder: " + one.said));
    CHECK_FALSE(std::filesystem::exists(c.root() / "plan"));  // no judge was started
  }
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

TEST_CASE("reproduce executor costs: a table with bounds, kept beside the other parts") {
  const Checkout c;
  c.write("out/executor.json", R"({"programs":[1],"findings":[2],"costs":[3],"interrupted":true})");
  const Ended ended =
      c.tool({"reproduce", "executor", "costs", "--report", "out", "--seed", "5", "--json", "costs.json"},
             {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}, {"COLUMNS", "200"}});
  INFO(ended.output);
  CHECK(has(ended, "tiled product"));
  CHECK(has(ended, "2x, 2 to 2"));
  CHECK(has(ended, "<= 3"));
  CHECK(has(ended, "07-toy/g1_naive"));
  CHECK(has(ended, "20x, 18 to 22"));
  CHECK(has(ended, "<= 40"));
  CHECK_FALSE(has(ended, "SKIPPED the hardware's half"));
  CHECK(ended.status == 0);
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
  const auto table = [&](const char* words) {
    const Ended ended =
        c.tool({"reproduce", "executor", "solutions", "--report", "out"}, {{"COLUMNS", "200"}});
    INFO(ended.output);
    CHECK(has(ended, words));
    CHECK(has(ended, "SKIPPED the hardware's half: no CUDA GPU here"));
    CHECK(ended.status == 1);  // half of the table is not there
    return json::parse(c.read("out/executor.json"));
  };
  const json kept = table("not counted");
  CHECK(kept["findings"] == json({2}));
  CHECK(kept["dates"]["findings"] == "2026-01-02");
  CHECK(kept["dates"]["solutions"].get<std::string>().size() == 20);
  REQUIRE(kept["solutions"].size() == 1);
  CHECK(kept["solutions"][0]["step"] == "07-toy/g1_naive");
  CHECK(kept["solutions"][0]["kernels"][0]["counters"]["global_load_sectors"]["executor"] == 320);
  CHECK_FALSE(kept["solutions"][0].contains("reason"));
  c.order("solutions/07-toy/g1_naive.cu", "profile CRASHED it ended");
  const json crashed = table("07-toy/g1_naive  not compared: CRASHED  it ended");
  REQUIRE(crashed["solutions"].size() == 1);
  CHECK(crashed["solutions"][0]["reason"] == "CRASHED  it ended");
}

TEST_CASE("reproduce executor: a step's row is renewed, with its date, and the others stay") {
  const Checkout c;
  c.write("out/executor.json", R"({"dates": {"solutions": "2026-01-02"},
                                   "solutions": [{"step": "01-other/g9_last"}, {"step": "07-toy/g1_naive"}]})");
  const Ended ended = c.tool({"reproduce", "executor", "07/g1", "--report", "out"}, {{"COLUMNS", "200"}});
  INFO(ended.output);
  const json kept = json::parse(c.read("out/executor.json"));
  CHECK(kept["dates"]["solutions"] == "2026-01-02");
  REQUIRE(kept["solutions"].size() == 2);
  CHECK(kept["solutions"][0] == json({{"step", "01-other/g9_last"}}));
  CHECK(kept["solutions"][1]["date"].get<std::string>().size() == 20);
  CHECK(kept["solutions"][1]["kernels"].size() > 0);
  const Ended host = c.tool({"reproduce", "executor", "07/c1"});
  INFO(host.output);
  CHECK(host.status == 2);
  CHECK(has(host, "For example: ./ladder reproduce executor 07-toy/g1_naive"));
}

TEST_CASE("reproduce executor costs: what cannot be measured is said, with status 1; bad input is status 2") {
  const Checkout c;
  c.order("solutions/07-toy/g1_naive.cu", "costs WRONG n = 64: 3 of 4 wrong");
  const Ended wrong = c.tool({"reproduce", "executor", "costs"}, {{"COLUMNS", "200"}});
  INFO(wrong.output);
  CHECK(wrong.status == 1);
  CHECK(has(wrong, "WRONG  n = 64: 3 of 4 wrong"));
  c.order("solutions/07-toy/g1_naive.cu", "costs NO RECORD");
  const Ended silent = c.tool({"reproduce", "executor", "costs"}, {{"COLUMNS", "200"}});
  INFO(silent.output);
  CHECK(silent.status == 1);
  CHECK(has(silent, "07-toy/g1_naive"));
  CHECK(has(silent, "NOT RUN"));
  c.order("solutions/07-toy/g1_naive.cu", "all PASS right");
  c.write("build/speed.sh", "#!/bin/sh\necho 1 1 1 1 1 1\necho WRONG\nexit 1\n");
  const Ended speed = c.tool({"reproduce", "executor", "costs"}, {{"COLUMNS", "200"}});
  INFO(speed.output);
  CHECK(speed.status == 1);
  CHECK(has(speed, "the program ended with status 1"));
  const Ended unknown = c.tool({"reproduce", "executor", "cost"});
  CHECK(unknown.status == 2);
  CHECK(has(unknown, "unknown part of the executor's table 'cost'; nearest: costs"));
}

TEST_CASE("similarity without sim_c++: one line that names its package, and no failure unless --strict") {
  const Checkout c;
  const std::map<std::string, std::string> without = {{"PATH", "/nowhere"}};
  c.write("grades/records/.keep", "");
  const Ended ended = c.tool({"similarity", "grades"}, without);
  CHECK(ended.output == "SKIPPED  similarity: no program sim_c++; it is in the package similarity-tester\n");
  CHECK(ended.status == 0);
  CHECK(c.tool({"similarity", "grades", "--strict"}, without).status == 1);
}

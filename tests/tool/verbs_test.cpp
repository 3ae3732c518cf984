/// @file
/// Every verb, end to end, on a checkout whose judge does as it is told.

#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::Ended;
using ladder::test::Checkout;
using nlohmann::json;

namespace {

bool has(const Ended& ended, const std::string& text) { return ended.output.find(text) != std::string::npos; }

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

/// The result of a step in a document.
json step(const json& document, const std::string& name) {
  for (const json& s : document["lessons"][0]["steps"])
    if (s["name"] == name) return s;
  return nullptr;
}

}  // namespace

TEST_CASE("check: a right step passes, by each of its names") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "correctness PASS right in all classes.");
  for (const char* name : {"07/c1", "7/c1", "07-toy/c1_first", "toy/first", "lessons/07-toy/c1_first.cpp"}) {
    const json document = c.json({"check", name, "--seed", "7"}, 0);
    CHECK(document["seed"] == 7);
    CHECK(step(document, "c1_first")["verdict"] == "PASS");
    CHECK(step(document, "c1_first")["tree"] == "lessons");
  }
}

TEST_CASE("check: feedback has the verdict, the blocks and what comes next") {
  const Checkout c;
  c.order("lessons/07-toy/g1_naive.cu", "correctness WRONG n = 64: 4 of 9 wrong, first C[0][1]");
  const Ended ended = c.tool({"check", "07/g1", "--seed", "7"});
  CHECK(ended.status == 1);
  INFO(ended.output);
  CHECK(has(ended, "07/g1 g1_naive.cu  WRONG  n = 64: 4 of 9 wrong, first C[0][1]"));
  CHECK(has(ended, "Think            What comes first?"));
  CHECK(has(ended, "again: ./ladder check 07/g1 --seed 7"));
  CHECK_FALSE(has(ended, "\x1b["));
}

TEST_CASE("check: a step that does not compile says where, the others go on, and no old program runs") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  c.order("lessons/07-toy/g1_naive.cu", "all PASS right");
  c.json({"check", "07"}, 0);
  CHECK(std::filesystem::exists(c.root() / "build/workers/lessons/07-toy/c1_first.cpu"));
  c.write("lessons/07-toy/c1_first.cpp", "// fake all PASS right\n#error broken\n");
  const json document = c.json({"check", "07"}, 1);
  CHECK(step(document, "c1_first")["verdict"] == "BUILD ERROR");
  CHECK(step(document, "c1_first")["message"] == "lessons/07-toy/c1_first.cpp:2: #error said so");
  CHECK(step(document, "g1_naive")["verdict"] == "PASS");
  CHECK_FALSE(std::filesystem::exists(c.root() / "build/workers/lessons/07-toy/c1_first.cpu"));
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  c.json({"check", "07"}, 0);
}

TEST_CASE("check: a planned step without a record is NOT RUN, whatever the exit status") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "targets NO RECORD");
  const json silent = c.json({"check", "07/c1"}, 1);
  CHECK(step(silent, "c1_first")["verdict"] == "NOT RUN");
  c.order("lessons/07-toy/c1_first.cpp", "targets DIE");
  const json dead = c.json({"check", "07"}, 1);
  CHECK(step(dead, "c1_first")["verdict"] == "NOT RUN");
  CHECK(step(dead, "c1_first")["message"].get<std::string>().find("the judge died of signal 11") == 0);
  CHECK(step(dead, "g1_naive")["verdict"] == "NOT RUN");
  c.order("lessons/07-toy/c1_first.cpp", "targets GARBAGE");
  const json garbage = c.json({"check", "07/c1"}, 1);
  CHECK(garbage["lessons"][0]["problems"].size() == 1);
}

TEST_CASE("check: a judge that contradicts its records is a problem") {
  const Checkout c;
  c.write("build/judge.sh", "#!/bin/sh\n'" FAKE_JUDGE "'\nexit 5\n");
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  const json document = c.json({"check", "07/c1"}, 1);
  CHECK(document["lessons"][0]["problems"][0].get<std::string>().find("ended with status 5 though") != std::string::npos);
}

TEST_CASE("wrong names, devices and numbers are one line and status 2") {
  const Checkout c;
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"chek"}, "ladder: unknown verb 'chek'; nearest: check\n"},
      {{"check", "08"}, "ladder: unknown lesson '08'; there are: 07-toy\n"},
      {{"check", "toi"}, "ladder: unknown lesson 'toi'; nearest: toy\n"},
      {{"check", "07/c9"}, "ladder: unknown step of 07-toy 'c9'; nearest: c1, c2\n"},
      {{"check", "07/frist"}, "ladder: unknown step of 07-toy 'frist'; nearest: first\n"},
      {{"check", "07", "--seed", "abc"}, "ladder: --seed wants a whole number from 0 to 4294967295, got 'abc'\n"},
      {{"check", "07", "--seed", "-1"}, "ladder: --seed wants a whole number from 0 to 4294967295, got '-1'\n"},
      {{"check", "07", "--size", "1e3"}, "ladder: --size wants a whole number from 1 to 1048576, got '1e3'\n"},
      {{"check", "07", "--device", "excutor"}, "ladder: unknown device 'excutor'; nearest: executor\n"},
      {{"check", "07/c1", "--device", "executor"}, "ladder: 07/c1 is a step for cpu; --device executor cannot run it\n"},
      {{"check", "07", "--tree", "lesson"}, "ladder: unknown tree 'lesson'; nearest: lessons\n"},
      {{"check", "07", "--sede", "3"}, "ladder: unknown option '--sede'; nearest: --seed, --size\n"},
      {{"check"}, "ladder: check what? For example: ./ladder check 03/g2\n"},
      {{"test", "--part", "unit"}, "ladder: unknown part of test 'unit'; nearest: units\n"}};
  for (const auto& [arguments, message] : wrong) {
    const Ended ended = c.tool(arguments);
    CHECK(ended.output == message);
    CHECK(ended.status == 2);
  }
}

TEST_CASE("a JSON that cannot be written is said, status 2") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  const Ended ended = c.tool({"check", "07/c1", "--json", "/dev/full"});
  CHECK(ended.status == 2);
  CHECK(has(ended, "ladder: cannot write /dev/full: No space left on device"));
}

TEST_CASE("--json - leaves standard output to the JSON") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  const Ended ended = ladder::run_process({.arguments = {c.program(), "check", "07/c1", "--json", "-"},
                                           .environment = c.environment(), .output_only = true});
  CHECK(json::parse(ended.output, nullptr, false).value("schema", "") == "gpu-ladder/1");
}

TEST_CASE("every verb has --help with an example") {
  const Checkout c;
  for (const char* verb : {"run", "check", "list", "doctor", "test", "reset", "reproduce"}) {
    const Ended ended = c.tool({verb, "--help"});
    CHECK(ended.status == 0);
    CHECK(has(ended, std::string("Example:\n  ./ladder ") + verb));
    CHECK(has(ended, "--json"));
  }
}

TEST_CASE("run: solutions with time, a table a lesson, a report") {
  const Checkout c;
  const json document = c.json({"run", "--device", "executor", "--report", "out"}, 0, {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}});
  CHECK(document["machine"].is_object());
  CHECK(step(document, "g1_naive")["time"]["median"] == 0.01);
  CHECK(step(document, "g1_naive")["tree"] == "solutions");
  CHECK(c.read("out/07-toy.svg").find("<svg") == 0);
  CHECK(c.read("out/07-toy.txt").find("10 ms ±10 %") != std::string::npos);
  const json plan = json::parse(c.read("plan"));
  CHECK(plan["kinds"] == json({"correctness", "targets", "time"}));
  CHECK(plan["steps"].size() == 3);
  CHECK(plan["steps"][1]["below"] == (c.root() / "build/workers/solutions/07-toy/c1_first.cpu").string());
  CHECK(plan["steps"][0]["below"] == "");
  CHECK(plan["steps"][0]["source_hash"].get<std::string>().size() == 64);
  const Ended shown = c.tool({"run", "07"}, {{"COLUMNS", "160"}});
  CHECK(has(shown, "3 steps: 3 PASS."));
  CHECK(has(shown, "sectors 1.02 <= 1.1 met"));
}

TEST_CASE("SKIPPED is no failure, unless --strict") {
  const Checkout c;
  c.order("solutions/07-toy/c1_first.cpp", "all SKIPPED no such library");
  const Ended ended = c.tool({"run", "07/c1"});
  CHECK(ended.status == 0);
  CHECK(has(ended, "07/c1 SKIPPED  no such library"));
  c.json({"run", "07/c1", "--strict"}, 1);
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
  CHECK(has(where, "1 of  2 required steps PASS"));
  CHECK(has(where, "then   ./ladder check 07/g1"));
  c.write("lessons/07-toy/c1_first.cpp", "// fake all PASS right\n// edited\n");
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "changed since PASS");
}

TEST_CASE("a contract that does not compile is named; nothing else is said to be wrong") {
  const Checkout c;
  c.write("build/table.sh", "#error contract\n");
  const json document = c.json({"list"}, 1);
  CHECK(document["lessons"][0]["problems"][0].get<std::string>().find("the contract does not compile") == 0);
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
  const json document = c.json({"reproduce", "07", "--budget", "3", "--max-size", "64"}, 0, {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}});
  CHECK(document["lessons"][0]["reproductions"][0]["title"] == "Table 2");
  const json plan = json::parse(c.read("plan"));
  CHECK(plan["cell_seconds"] == 3.0);
  CHECK(plan["size"] == 64);
  CHECK(plan["kinds"] == json({"reproduce"}));
  CHECK(has(c.tool({"reproduce", "07"}), "in seconds"));
}

TEST_CASE("test: trees, solutions, skeletons and mutants, counted on the last line") {
  const Checkout c;
  const std::vector<std::string> call = {"test", "07", "--part", "tree", "--part", "solutions", "--part", "mutants"};
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

TEST_CASE("test: a skeleton that is not NOT STARTED fails") {
  const Checkout c;
  const json document = c.json({"test", "07", "--part", "skeletons"}, 1);  // the fake judge says PASS
  CHECK(document["tests"]["failed"] == 2);
}

TEST_CASE("doctor writes the same schema") {
  const Checkout c;
  const json document = c.json({"doctor", "--no-measure"}, 0);
  CHECK(document["machine"].is_object());
}

/// @file
/// The verbs profile and predict, end to end, on a checkout whose judge does as it is told.
// Guards: docs/student.md#predict-first

#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::step;
using nlohmann::json;

TEST_CASE("profile: text, page, trace and JSON of a rung") {
  const Checkout c;
  const json document = c.json({"profile", "07/g1", "--tree", "solutions", "--as", "gtx 1660", "--html",
                                "p.html", "--trace", "t.json"},
                               0, {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}});
  const json profile = step(document, "g1_naive")["profile"];
  CHECK(profile["device"] == "GTX 1660");
  CHECK(profile["target"]["measured"] == 4.0);
  CHECK(profile["worst_lines"][0]["text"] == "work();");
  CHECK(profile["on_device"][0]["waves"].get<double>() > 2.9);
  CHECK(profile["trace"]["traceEvents"].size() == 2);
  const std::string page = c.read("p.html");
  CHECK(page.find("<!doctype html>") == 0);
  CHECK(page.find("Line 4: 32 sectors where 8 would do") != std::string::npos);
  CHECK(page.find("1 kernel, 0 copies in 1 stream") != std::string::npos);
  CHECK(json::parse(c.read("t.json")).contains("traceEvents"));
  const json plan = json::parse(c.read("plan"));
  CHECK(plan["kinds"] == json({"profile"}));
  approve("profile", c.tool({"profile", "07/g1", "--tree", "solutions", "--size", "128"}));
}

TEST_CASE("profile: a rung that is wrong or not there is said, with status 1") {
  const Checkout c;
  c.order("solutions/07-toy/g1_naive.cu", "profile WRONG n = 64: 3 of 4 wrong");
  approve("wrong", c.tool({"profile", "07/g1", "--tree", "solutions"}));
  c.order("solutions/07-toy/g1_naive.cu", "profile NOT_STARTED not written yet");
  CHECK(c.tool({"profile", "07/g1", "--tree", "solutions"}).status == 1);
}

TEST_CASE("profile: a rung without a profile leads on, whatever it lacks, with the options of the call") {
  const std::string verdict = GENERATE(as<std::string>{}, "WRONG n = 64: 3 of 4 wrong", "CRASHED signal 11",
                                       "TIMEOUT did not return", "NOT_STARTED task", "BUILD ERROR");
  INFO(verdict);
  const Checkout c;
  if (verdict == "BUILD ERROR")
    c.write("lessons/07-toy/g1_naive.cu", "#error not C++\n");
  else
    c.order("lessons/07-toy/g1_naive.cu", "profile " + verdict);
  const ProcessResult ended =
      c.tool({"profile", "07/g1", "--size", "12", "--seed", "5"}, {{"COLUMNS", "200"}});
  INFO(ended.output);
  CHECK(ended.status == 1);
  CHECK(has(ended, "\nNext             "));
  CHECK(has(ended, "./ladder check 07/g1 --size 12 --seed 5"));
}

TEST_CASE("profile: bad input is one line and status 2") {
  const Checkout c;
  approve("bad-input", refusals(c, {{"profile"},
                                    {"profile", "07/g9"},
                                    {"profile", "07/g1", "--as", "GTX 1080"},
                                    {"profile", "07/g1", "--size", "big"},
                                    {"profile", "07", "--html", "x.html"},
                                    {"profile", "07/g1", "--hmtl", "x"},
                                    {"profile", "nowhere.cu"},
                                    {"predict"},
                                    {"predict", "07"},
                                    {"predict", "07/g9", "sectors=1"},
                                    {"predict", "07/g1", "sektors=1"},
                                    {"predict", "07/g1", "sectors=many"},
                                    {"predict", "07/g1", "07/c1", "sectors=1"},
                                    {"predict", "07/g1", "sectors"},
                                    {"predict", "sectors"},
                                    {"predict", "07/g1", "5120"},
                                    {"predict", "07/g1", "sektors"},
                                    {"predict", "07/g1", "sectors=80", "barriers"},
                                    {"predict", "07/g1", "many"}}));
}

TEST_CASE("predict: kept before, shown next to the truth, marked after") {
  const Checkout c;
  const json kept = c.json({"predict", "07/g1", "sectors=80", "barriers=4", "--size", "64"}, 0);
  CHECK(kept["verb"] == "predict");
  CHECK(step(kept, "g1_naive")["predictions"].size() == 2);
  CHECK(step(kept, "g1_naive")["predictions"][0]["after_profile"] == false);
  const ProcessResult shown = c.tool({"profile", "07/g1", "--tree", "solutions", "--size", "64"});
  approve("predicted", shown);
  CHECK_FALSE(has(c.tool({"profile", "07/g1", "--tree", "solutions", "--size", "128"}), "You predicted"));
  approve("predict-after-profile", c.tool({"predict", "07/g1", "sectors=320", "--size", "32"}));
  approve("predicted-after-profile", c.tool({"profile", "07/g1", "--tree", "solutions", "--size", "32"}));
  CHECK(json::parse(c.read(".ladder/predictions.json"))["schema"] == "gpu-ladder-predictions/1");
  approve("predictions", c.tool({"predict", "07/g1"}));
  approve("no-predictions", c.tool({"predict", "07/c1"}));
}

TEST_CASE(
    "predict: check shows what was predicted next to the number that it measures, and of another size who "
    "knows "
    "it") {
  const Checkout c;
  c.order("lessons/07-toy/g1_naive.cu", "missed 4.5");
  CHECK_FALSE(has(c.tool({"check", "07/g1"}), "You predicted"));
  c.tool({"predict", "07/g1", "sectors=36864", "barriers=4"});
  const ProcessResult shown = c.tool({"check", "07/g1"});
  CHECK(has(shown, "Predicted        You predicted 36,864 sectors; it is 73,728, 2x of that."));
  CHECK_FALSE(has(shown, "barriers"));
  c.tool({"predict", "07/g1", "sectors=1", "--size", "2"});
  CHECK(has(c.tool({"check", "07/g1"}),
            "You predicted 1 sectors at size 2: ./ladder profile 07/g1 --size 2 says what it is."));
}

TEST_CASE("predict: a number that stands apart from its metric is taken for what it can only mean") {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"sectors", "80"}, {"sectors", "=", "80"}, {"sectors=", "80"}, {"sectors", "=80"}}) {
    const Checkout c;
    std::vector<std::string> call = {"predict", "07/g1"};
    call.insert(call.end(), words.begin(), words.end());
    const json kept = c.json(call, 0);
    CHECK(step(kept, "g1_naive")["predictions"][0]["value"] == 80);
  }
}

TEST_CASE("profile --hardware without a GPU says in one line why not") {
  const Checkout c;
  c.order("solutions/07-toy/g1_naive.cu",
          "hardware SKIPPED ncu counts on an NVIDIA GPU; this runs on executor");
  approve("no-hardware", c.tool({"profile", "07/g1", "--tree", "solutions", "--hardware"}));
}

TEST_CASE("profile --under runs one rung under a program and shows what that prints") {
  const Checkout c;
  const ProcessResult shown = c.tool({"profile", "07/c1", "--tree", "solutions", "--under", "perf  stat -d"});
  approve("under", shown);
  approve("under-one-step", c.tool({"profile", "07", "--under", "perf stat"}));
  approve("under-what", c.tool({"profile", "07/c1", "--under", " "}));
  c.order("solutions/07-toy/c1_first.cpp", "hardware SKIPPED pref is not on the PATH");
  approve("under-a-missing-program", c.tool({"profile", "07/c1", "--tree", "solutions", "--under", "pref"}));
}

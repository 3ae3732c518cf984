/// @file
/// The verbs profile and predict, end to end, on a checkout whose judge does as it is told.
// Guards: docs/student.md#predict-first

#include <algorithm>

#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::Ended;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::step;
using nlohmann::json;

TEST_CASE("profile: text, page, trace and JSON of a step") {
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
  const Ended shown = c.tool({"profile", "07/g1", "--tree", "solutions", "--size", "128"});
  INFO(shown.output);
  CHECK(shown.status == 0);
  for (const char* part :
       {"07/g1 g1_naive.cu  n = 64, executor, observed", "sectors 320 of 80 necessary (n sectors): 4x",
        "line 4    work();", "32 sectors a request, ideal 8", "on executor"})
    CHECK(has(shown, part));
}

TEST_CASE("profile: a step that is wrong or not there is said, with status 1") {
  const Checkout c;
  c.order("solutions/07-toy/g1_naive.cu", "profile WRONG n = 64: 3 of 4 wrong");
  const Ended wrong = c.tool({"profile", "07/g1", "--tree", "solutions"});
  INFO(wrong.output);
  CHECK(wrong.status == 1);
  CHECK(has(wrong, "07/g1 g1_naive.cu  WRONG  n = 64: 3 of 4 wrong"));
  c.order("solutions/07-toy/g1_naive.cu", "profile NOT_STARTED not written yet");
  CHECK(c.tool({"profile", "07/g1", "--tree", "solutions"}).status == 1);
}

TEST_CASE("profile: a step without a profile leads on, whatever it lacks, with the options of the call") {
  const std::string verdict = GENERATE(as<std::string>{}, "WRONG n = 64: 3 of 4 wrong", "CRASHED signal 11",
                                       "TIMEOUT did not return", "NOT_STARTED task", "BUILD ERROR");
  INFO(verdict);
  const Checkout c;
  if (verdict == "BUILD ERROR")
    c.write("lessons/07-toy/g1_naive.cu", "#error not C++\n");
  else
    c.order("lessons/07-toy/g1_naive.cu", "profile " + verdict);
  const Ended ended = c.tool({"profile", "07/g1", "--size", "12", "--seed", "5"}, {{"COLUMNS", "200"}});
  INFO(ended.output);
  CHECK(ended.status == 1);
  CHECK(has(ended, "\nNext             "));
  CHECK(has(ended, "./ladder check 07/g1 --size 12 --seed 5"));
}

TEST_CASE("profile: bad input is one line and status 2") {
  const Checkout c;
  const auto refused = [&](std::vector<std::string> arguments, const char* text) {
    const Ended ended = c.tool(std::move(arguments));
    INFO(ended.output);
    CHECK(ended.status == 2);
    CHECK(has(ended, text));
    CHECK(std::count(ended.output.begin(), ended.output.end(), '\n') == 1);
  };
  refused({"profile"}, "profile what? For example: ./ladder profile 03/g2");
  refused({"profile", "07/g9"}, "unknown step of 07-toy 'g9'; nearest: g1");
  refused({"profile", "07/g1", "--as", "GTX 1080"}, "unknown device 'GTX 1080'; nearest: GTX 1660");
  refused({"profile", "07/g1", "--size", "big"}, "--size wants a whole number");
  refused({"profile", "07", "--html", "x.html"}, "--html writes the page of one step");
  refused({"profile", "07/g1", "--hmtl", "x"}, "unknown option '--hmtl'; nearest: --html");
  refused({"profile", "nowhere.cu"}, "nowhere.cu");
  refused({"predict"}, "predict what?");
  refused({"predict", "07"}, "name a step");
  refused({"predict", "07/g9", "sectors=1"}, "unknown step of 07-toy 'g9'; nearest: g1");
  refused({"predict", "07/g1", "sektors=1"}, "unknown metric 'sektors'; nearest: sectors");
  refused({"predict", "07/g1", "sectors=many"}, "sectors wants a number that is not negative, got 'many'");
  refused({"predict", "07/g1", "07/c1", "sectors=1"}, "one step at a time");
  refused({"predict", "07/g1", "sectors"},
          "sectors has no number. A prediction is METRIC=NUMBER. For example: ./ladder predict 07/g1");
  refused({"predict", "sectors"}, "sectors has no number");
  refused({"predict", "07/g1", "5120"},
          "5120 of what? A prediction is METRIC=NUMBER. For example: ./ladder predict 07/g1 sectors=5120");
  refused({"predict", "07/g1", "sektors"}, "nearest metric: sectors");
  refused({"predict", "07/g1", "sectors=80", "barriers"}, "barriers has no number");
  refused({"predict", "07/g1", "many"}, "METRIC=NUMBER");
}

TEST_CASE("predict: kept before, shown beside the truth, marked after") {
  const Checkout c;
  const json kept = c.json({"predict", "07/g1", "sectors=80", "barriers=4", "--size", "64"}, 0);
  CHECK(kept["verb"] == "predict");
  CHECK(step(kept, "g1_naive")["predictions"].size() == 2);
  CHECK(step(kept, "g1_naive")["predictions"][0]["after_profile"] == false);
  const Ended shown = c.tool({"profile", "07/g1", "--tree", "solutions", "--size", "64"});
  INFO(shown.output);
  CHECK(has(shown, "You predicted 80 sectors; it is 320, 4x of that."));
  CHECK(has(shown, "You predicted 4 barriers. Not known: this run did not count barriers."));
  CHECK_FALSE(has(c.tool({"profile", "07/g1", "--tree", "solutions", "--size", "128"}), "You predicted"));
  const Ended late = c.tool({"predict", "07/g1", "sectors=320", "--size", "32"});
  CHECK(late.status == 0);
  CHECK(has(late, "made after a profile of this step"));
  CHECK(has(c.tool({"profile", "07/g1", "--tree", "solutions", "--size", "32"}),
            "You predicted 320 sectors (after a profile had shown it): exactly what it is."));
  CHECK(json::parse(c.read(".ladder/predictions.json"))["schema"] == "gpu-ladder-predictions/1");
  const Ended list = c.tool({"predict", "07/g1"});
  CHECK(has(list, "07/g1 sectors 80 at n = 64"));
  CHECK(has(c.tool({"predict", "07/c1"}), "nothing predicted for 07/c1"));
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
  const Ended ended = c.tool({"profile", "07/g1", "--tree", "solutions", "--hardware"});
  INFO(ended.output);
  CHECK(ended.status == 0);
  CHECK(has(ended, "No hardware      ncu counts on an NVIDIA GPU; this runs on executor"));
  CHECK(has(ended, "Target"));
}

TEST_CASE("profile --under runs one step under a program and shows what that prints") {
  const Checkout c;
  const Ended shown = c.tool({"profile", "07/c1", "--tree", "solutions", "--under", "perf  stat -d"});
  INFO(shown.output);
  CHECK(shown.status == 0);
  CHECK(has(shown, "ran under [\"perf\",\"stat\",\"-d\"]"));
  CHECK_FALSE(has(shown, "Target"));
  CHECK(has(c.tool({"profile", "07", "--under", "perf stat"}), "--under runs one step; name one"));
  CHECK(has(c.tool({"profile", "07/c1", "--under", " "}), "--under what?"));
  c.order("solutions/07-toy/c1_first.cpp", "hardware SKIPPED pref is not on the PATH");
  const Ended missing = c.tool({"profile", "07/c1", "--tree", "solutions", "--under", "pref"});
  INFO(missing.output);
  CHECK(missing.status == 1);
  CHECK(has(missing, "pref is not on the PATH"));
}

/// @file
/// What is said of a lesson's table, and that nothing of it is lost between the table and a judge.
// Guards: docs/adding-a-lesson.md#the-fields-of-a-row

#include "common/lesson/rungs_file.hpp"

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/lesson/rung_json.hpp"
#include "common/tool/handout/handout_lesson.hpp"
#include "tests/common/catch.hpp"

namespace {

using namespace ladder;

const std::string head = "title = \"X\"\nsource = \"none\"\n";
const std::string row =
    "[[rungs]]\nfile = \"g1_one.cu\"\nidea = \"An idea.\"\nhints = [\"What?\", \"And that?\"]\n";
const std::string target =
    "[[rungs.targets]]\nmetric = \"bytes\"\nbound = 1\nnecessary = \"n bytes\"\namount = \"bytes\"\nsize = "
    "8\n";
const std::string own_cost = "own_cost = \"copies all\"\n";

RungsFile read(const std::string& text) {
  const ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path() / "09-x");
  write_text(scratch.path() / "09-x" / "rungs.toml", text);
  return read_rungs_file(scratch.path() / "09-x" / "rungs.toml");
}

/// All that is wrong with a text, without the file's name.
std::string wrong(const std::string& text) {
  std::string all;
  for (const std::string& line : read(text).problems) {
    CHECK(line.starts_with("lessons/09-x/rungs.toml:"));
    all += line.substr(line.find(':') + 1) + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("a row says where its idea gains: clock, kernels, size, and the program without it") {
  const std::string rung = head + row + "data = \"resident\"\n";
  const auto gain_of = [&](const std::string& text) {
    return read(rung + "gain = " + text + "\n" + target).lesson.steps.at(0).gain;
  };
  const auto refused = [&](const std::string& text) {
    return wrong(rung + "gain = " + text + "\n" + target);
  };
  CHECK(gain_of("{}") == Gain{.clock = RungClock::device});
  CHECK(gain_of("{ clock = \"call\", size = 64 }") == Gain{.clock = RungClock::call, .size = 64});
  CHECK(gain_of("{ kernels = [\"update\"], without = \"nothing\", experiment = \"x\" }") ==
        Gain{.clock = RungClock::device, .kernels = {"update"}, .without = "nothing", .experiment = "x"});
  CHECK(refused("{ clock = \"wall\" }").find("clock") != std::string::npos);
  CHECK(refused("{ clock = \"call\", kernels = [\"update\"] }").find("kernels have no time of a call") !=
        std::string::npos);
  CHECK(refused("{ without = \"g9_there_is_none\" }").find("no rung g9_there_is_none") != std::string::npos);
  CHECK(refused("{ without = \"g9_there_is_none.naive\" }").find("no rung g9_there_is_none") !=
        std::string::npos);
}

TEST_CASE("a table: every field arrives, defaults are filled in key by key") {
  const RungsFile file = read(head + R"(on_device = { usual = 4096, small = 1024, several = 8192 }
classes = [{ name = "S", size = 24 }]
[defaults]
kind = "stretch"
data = "resident"
hours = 2
after = ["00-first-steps"]
time = { peer = "baseline", ratio = 0.5, size = 256 }
points = { time = 2 }
target = { relation = ">=", size = 64 }
[[rungs]]
file = "g1_naive.cu"
was = "g1_tiles"
idea = """
a "quoted" \
   idea"""
time = { ratio = 0.8, on_device = 512 }
asks = { block = 32, accurate = true }
hints = ["one", "two"]
[[rungs.targets]]
metric = "bytes"
bound = 1.1
necessary = "n"
amount = "bytes"
[[rungs]]
file = "c1_two.cpp"
idea = "x"
kind = "required"
data = "host"
after = []
assumes = ["MPI"]
ranks = 3
hints = ["one", "two"]
)");
  for (const std::string& problem : file.problems) FAIL_CHECK(problem);
  const Lesson& lesson = file.lesson;
  CHECK(lesson.name == "09-x");
  CHECK(lesson.on_device == DeviceSizes{4096, 0, 1024, 8192});
  CHECK(lesson.on_device.of(Data::resident) == 4096);
  CHECK(lesson.on_device.of(Data::distributed) == 8192);
  CHECK(DeviceSizes{.usual = 4096}.of(Data::distributed) == 4096);
  CHECK(lesson.classes == std::vector<NamedSize>{{"S", 24}});
  REQUIRE(lesson.steps.size() == 2);
  const Step& one = lesson.steps[0];
  CHECK(one.name() == "g1_naive");
  CHECK(one.was == "g1_tiles");
  CHECK(one.idea == "a \"quoted\" idea");
  CHECK(one.kind == Kind::stretch);
  CHECK(one.data == Data::resident);
  CHECK(one.gain.clock == RungClock::device);  // as its data are resident
  CHECK(lesson.steps[1].gain.clock == RungClock::call);
  CHECK(one.hours == 2);
  CHECK(one.after == std::vector<std::string>{"00-first-steps"});
  CHECK(lesson.steps[1].after.empty());
  CHECK(lesson.steps[1].assumes == std::vector<std::string>{"MPI"});
  CHECK(one.time == TimeBound{"baseline", 0.8, 256, 512});
  CHECK(one.points == RowPoints{4, 4, 2});
  REQUIRE(one.targets.size() == 1);
  CHECK(one.target() == Target{.metric = "bytes",
                               .relation = ">=",
                               .bound = 1.1,
                               .necessary = "n",
                               .amount = "bytes",
                               .size = 64});
  CHECK(lesson.steps[1].kind == Kind::required);
  CHECK(lesson.steps[1].ranks == 3);
  CHECK(lesson.steps[1].time == TimeBound{"baseline", 0.5, 256});

  int block = 0;
  bool accurate = false;
  read_asks(one, {{"block", &block}, {"accurate", &accurate}});
  CHECK(block == 32);
  CHECK(accurate);
  CHECK_THROWS_WITH(read_asks(one, {{"blocks", &block}, {"accurate", &accurate}}),
                    "g1_naive.cu: asks: unknown entry 'block'; nearest: blocks");
  CHECK_THROWS_WITH(read_asks(one, {{"block", &accurate}, {"accurate", &accurate}}),
                    "g1_naive.cu: asks.block must be true or false");

  CHECK(lesson_from_json(to_json(lesson)) == lesson);
  nlohmann::json changed = to_json(lesson);
  changed["steps"][0]["targets"][0]["bounds"] = 1;
  CHECK_THROWS_WITH(lesson_from_json(changed),
                    "a lesson's table: table.steps[0].targets[0].bounds is not a known field");
  changed = to_json(lesson);
  changed["steps"][1]["hours"] = "two";
  CHECK_THROWS_WITH(lesson_from_json(changed), "a lesson's table: table.steps[1].hours must be a number");
}

TEST_CASE("what a row lacks is said with its place and its name") {
  CHECK(wrong(head + row) == "");  // no target: time is the idea
  CHECK(wrong(head + row + target + own_cost) == "");
  const auto without = [](std::string text, const std::string& line) {
    return text.erase(text.find(line), line.size());
  };
  const std::string whole = row + target + own_cost;
  const auto says = [&](const std::string& line, const std::string& what) {
    const std::string said = wrong(head + without(whole, line));
    INFO(said);
    CHECK(said == "4:8: g1_one: " + what + "\n");
  };
  says("amount = \"bytes\"\n", "target 1: amount is missing: the necessary amount as a function");
  says("necessary = \"n bytes\"\n", "target 1: necessary is missing: the necessary amount in words");
  says("size = 8\n", "target 1: size is missing: what the target is measured at");
  says(own_cost, "target 1: proof or own_cost is missing: may a program need less?");
  CHECK(wrong(head + whole + "proof = \"n bytes are copied\"\n") ==
        "4:8: g1_one: target 1: floor and proof: one without the other\n");
  CHECK(wrong(head + row + target + "floor = \"bytes\"\nproof = \"n bytes are copied\"\n") == "");
  CHECK(wrong(head + without(row, "idea = \"An idea.\"\n")) == "4:8: g1_one: idea is missing\n");
  CHECK(wrong(head + row + "time = { peer = \"baseline\" }\n") == "4:8: g1_one: time.size is missing\n");
  CHECK(wrong(head + without(row, ", \"And that?\"")) == "4:8: g1_one: hints: two are needed\n");
}

TEST_CASE("mistakes in a table are named by line and column") {
  CHECK(wrong(head + row + "houres = 2\n") == "7:1: [[rungs]]: unknown entry 'houres'; nearest: hours\n");
  CHECK(wrong(head + row + "hours = \"2\"\n") == "7:9: hours must be a number\n");
  CHECK(wrong(head + row + "kind = \"optional\"\n").starts_with("7:8: unknown kind 'optional'"));
  CHECK(wrong(head + row + row) == "8:8: g1_one is there twice\n");
  CHECK(
      wrong(head + "[[rungs]]\nidea = \"x\"\nhints = [\"a\", \"b\"]\n").starts_with("3:1: file is missing"));
  CHECK(wrong(head + "[[rungs]]\nfile = \"one.cu\"\nidea = \"x\"\nhints = [\"a\", \"b\"]\n")
            .starts_with("4:8: file 'one.cu': track, number"));
  CHECK(wrong(head + "[defaults]\nhour = 2\n" + row).starts_with("4:1: [defaults]: unknown entry 'hour'"));
  CHECK(wrong(head + row + "time = { peer = \"baseline\", ratios = 1, size = 8 }\n")
            .starts_with("7:29: time: unknown entry 'ratios'"));
  CHECK(wrong("title = \"X\n").starts_with("1:"));  // no TOML
  CHECK(wrong("").find("title is missing") != std::string::npos);
  CHECK_THROWS_AS(read_rungs("/nowhere/09-x/rungs.toml"), Error);
}

TEST_CASE("a handout's table has the hints of its own rungs only, and stays a table") {
  const std::string lists =
      "hints = [\n  \"\"\"Which lane [of 32] reads it, \\\n    and when?\"\"\",\n  \"That one.\",\n]\n";
  const auto rung = [&](const std::string& file, const std::string& hints) {
    return "\n[[rungs]]\nfile = \"" + file + "\"\nidea = \"An idea.\"\n" + hints + "hours = 2\n";
  };
  const std::string one_line = "hints = [\"What?\", \"And that?\"]\n";
  const std::string all = head + rung("c1_a.cpp", lists) + rung("g1_b.cu", lists) + rung("g2_c.cu", one_line);
  const std::string cut = without_hints(all, {"c1_a.cpp"});
  const std::string instead = "hints = [\"The hints of a rung come with it.\", \"They come with it.\"]\n";
  CHECK(cut == head + rung("c1_a.cpp", lists) + rung("g1_b.cu", instead) + rung("g2_c.cu", instead));
  const RungsFile left = read(cut);
  for (const std::string& problem : left.problems) FAIL_CHECK(problem);
  CHECK(left.lesson.steps.size() == 3);
  CHECK(left.lesson.steps[1].hours == 2);
  CHECK(without_hints(all, {"c1_a.cpp", "g1_b.cu", "g2_c.cu"}) == all);
}

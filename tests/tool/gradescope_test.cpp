/// @file
/// What an autograder on Gradescope says without judging, and what a harness that was built before makes of a
/// student's copy.
// Guards: docs/image.md#the-autograder-for-gradescope, docs/image.md#the-harness

#include "common/tool/grading/gradescope.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/build/harness.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

json previous(const std::string& time, double score, bool graded = true) {
  json results = {{"output", "visible part"},
                  {"tests", json::array({{{"name", "03/g1"}, {"score", score}}})}};
  if (!graded) results["extra_data"] = {{"not_graded", true}};
  return {{"submission_time", time}, {"score", score}, {"results", results}};
}

json metadata(const std::string& created, std::vector<json> before) {
  return {{"created_at", created}, {"previous_submissions", before}};
}

}  // namespace

TEST_CASE(
    "the submission after the most of a day keeps the last graded results and says when the next is graded",
    "[gradescope]") {
  const json two = metadata("2027-02-14T23:00:00-06:00", {previous("2027-02-14T10:00:00-06:00", 8),
                                                          previous("2027-02-14T12:00:00-06:00", 5)});
  CHECK_FALSE(gradescope::beyond_the_day(two, 3));
  CHECK_FALSE(gradescope::beyond_the_day(two, 0));
  const auto limited = gradescope::beyond_the_day(two, 2);
  REQUIRE(limited);
  CHECK((*limited)["tests"][0]["score"] == 5);
  const std::string output = (*limited)["output"];
  INFO(output);
  CHECK(output.find("2027-02-15T16:00:00Z") != output.npos);  // a day after the first
}

TEST_CASE("a day is 24 hours of the platform's clock, and what was not graded does not count",
          "[gradescope]") {
  const std::string now = "2027-02-15T10:00:00Z";
  CHECK(gradescope::beyond_the_day(metadata(now, {previous("2027-02-14T10:00:01Z", 1)}), 1));
  CHECK_FALSE(gradescope::beyond_the_day(metadata(now, {previous("2027-02-14T10:00:00Z", 1)}), 1));
  CHECK_FALSE(gradescope::beyond_the_day(metadata(now, {previous("2027-02-15T09:00:00Z", 1, false)}), 1));
}

TEST_CASE("metadata that says nothing limits nobody", "[gradescope]") {
  CHECK_FALSE(gradescope::beyond_the_day(json::object(), 1));
  CHECK_FALSE(gradescope::beyond_the_day(metadata("soon", {previous("2027-02-15T09:00:00Z", 1)}), 1));
  CHECK(gradescope::attempt_of(json::object()) == 1);
  CHECK(gradescope::attempt_of(metadata("soon", {json(), json()})) == 3);
}

TEST_CASE("a rung that was not reached has no score, and the total has none where nothing was judged",
          "[gradescope]") {
  const model::GradescopeResults results =
      gradescope::results_of(std::nullopt, {"03/g1", "03/g2"}, "not judged in time: resubmit");
  REQUIRE(results.tests.size() == 2);
  CHECK_FALSE(results.tests[0].score);
  CHECK(results.tests[1].output == "not judged in time: resubmit");
  CHECK(results.score == 0);  // the platform wants one where no test has any
  CHECK(results.output.starts_with("2 of 2 rungs not judged in time"));
  const json written = model::to_json(results);
  CHECK_FALSE(written["tests"][0].contains("score"));
  CHECK(written["visibility"] == "visible");
}

TEST_CASE("a record counts as judged when none of its steps was left over", "[gradescope]") {
  const auto judged = [](const std::vector<Verdict>& verdicts) {
    model::GradeRecord record;
    for (const Verdict verdict : verdicts) record.steps.emplace_back().verdict = verdict;
    return gradescope::is_judged(record);
  };
  CHECK_FALSE(judged({}));
  CHECK(judged({Verdict::timeout}));
  CHECK_FALSE(judged({Verdict::pass, Verdict::not_run}));
}

TEST_CASE("the total of a submission is that of all its rungs", "[gradescope]") {
  const auto rung = [](const char* name, double points) {
    model::GradeRecord one;
    one.points = points, one.max_points = 8;
    one.steps.emplace_back().name = name;
    return one;
  };
  std::optional<model::GradeRecord> record;
  gradescope::add_steps(record, rung("g1_naive", 8));
  gradescope::add_steps(record, rung("g2_shared_tiles", 5.5));
  CHECK(record->steps.size() == 2);
  CHECK(record->points == 13.5);
  CHECK(record->max_points == 16);
}

TEST_CASE("the zip of an assignment has its points and what it allows", "[gradescope]") {
  course::Assignment assignment;
  assignment.rungs = {{"03/g1", 8}, {"03/g3", 10}};
  assignment.allow = {{"extra.hpp"}, {"atexit"}};
  const auto settings =
      gradescope::settings_from(gradescope::settings_text({"03/g1", "03/g3"}, 5, &assignment));
  CHECK(settings.per_day == 5);
  CHECK(settings.seconds == 540);
  CHECK(settings.assignment.allow.headers == assignment.allow.headers);
  CHECK(settings.assignment.allow.symbols == assignment.allow.symbols);
  CHECK(settings.assignment.rungs == assignment.rungs);
  const auto without = gradescope::settings_from(gradescope::settings_text({"03/g1"}, 0, nullptr));
  CHECK(without.rungs == std::vector<std::string>{"03/g1"});
  CHECK(without.assignment.rungs.empty());
}

TEST_CASE("gradescope.json is refused with a reason", "[gradescope]") {
  CHECK(gradescope::settings_from(R"({"rungs": ["03/g1"], "per_day": 10})").per_day == 10);
  CHECK_THROWS_AS(gradescope::settings_from("{"), Error);
  CHECK_THROWS_AS(gradescope::settings_from(R"({"rungs": []})"), Error);
}

TEST_CASE("an archive that lies alone is the submission; next to other files it is one of them",
          "[gradescope]") {
  const ScratchFolder autograder;
  const fs::path folder = autograder.path() / "submission";
  write_text(folder / ".DS_Store", "");
  CHECK(gradescope::import_submissions(autograder.path()) == folder);
  write_text(folder / "homework.tar.gz", "");
  CHECK(gradescope::import_submissions(autograder.path()) == folder / "homework.tar.gz");
  write_text(folder / "g1_naive.cu", "");
  CHECK(gradescope::import_submissions(autograder.path()) == folder);
}

TEST_CASE("course check: what a run of a zip has left that was killed goes with the next", "[gradescope]") {
  const ScratchFolder scratch;
  // No process has that number.
  const fs::path root = scratch.path() / "ladder-zip-999999999.abcdef" / "root",
                 busy = scratch.path() / fmt::format("ladder-zip-{}.abcdef", getpid()),
                 base = scratch.path() / "base";
  for (const fs::path& folder : {root, busy, base / "etc"}) fs::create_directories(folder);
  const ProcessResult ended =
      run_process({.arguments = {"sh", LADDER_PROJECT "/common/tool/gradescope/try_zip.sh", "x.zip", "trials",
                                 "results", base.string(), ""},
                   .environment = {{"TMPDIR", scratch.path().string()}}});
  INFO(ended.output + ended.error);
  CHECK(ended.status == 2);  // the base is no Ubuntu
  CHECK_FALSE(fs::exists(root.parent_path()));
  CHECK(fs::exists(busy));
  CHECK(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()) == 2);
}

TEST_CASE("course check: what the zip gives is compared step by step", "[gradescope]") {
  model::GradescopeResults results;
  results.tests = {{.name = "03/g1 g1_naive",
                    .output = "PASS: right",
                    .score = 8,
                    .max_score = 8,
                    .extra_data = model::GradescopeTestData{.verdict = "PASS"}},
                   {.name = "03/g2", .output = "not judged in time: resubmit"},
                   {.name = "private part, open", .output = "8 points"}};
  CHECK(gradescope::results_text(results) == "03/g1 PASS 8 of 8, 03/g2 not judged in time: resubmit");
  CHECK(gradescope::results_text({}) == "no results");
}

TEST_CASE("course check: what a zip got wrong counts as long as that zip is there", "[gradescope]") {
  const ScratchFolder scratch;
  const fs::path zip = scratch.path() / "autograder.zip";
  write_text(zip, "zip");
  json row = {
      {"submission", "skeleton"}, {"must_get", "03/g1 NOT STARTED"}, {"got", "no results"}, {"right", false}};
  json tried = {{"file", zip.string()}, {"sha256", sha256("zip")}, {"rows", json::array({row})}};
  CHECK(gradescope::wrong_in_zip(tried) ==
        "in " + zip.string() + " skeleton got no results, not 03/g1 NOT STARTED");
  CHECK(gradescope::wrong_in_zip(nullptr).empty());
  write_text(zip, "made again");
  CHECK(gradescope::wrong_in_zip(tried).empty());
  write_text(zip, "zip");
  tried["rows"][0]["right"] = true;
  CHECK(gradescope::wrong_in_zip(tried).empty());
}

namespace {

/// A harness of one step, and a copy of the same contract.
struct Copy {
  ScratchFolder scratch;
  fs::path harness = scratch.path() / "harness", built = harness / "build", copy = scratch.path() / "copy";

  explicit Copy(const std::string& flags = "") {
    for (const fs::path& folder : {harness / "lessons/00-x", copy / "lessons/00-x", built})
      fs::create_directories(folder);
    for (const fs::path& root : {harness, copy})
      write_text(root / "lessons/00-x/x.hpp", "struct Problem {};\n");
    const json one = {{"target", "workers/lessons/00-x/g1_a.executor"},
                      {"commands",
                       {"c++ " + flags +
                        " $X -o @OUTPUTS@/workers/lessons/00-x/g1_a.executor "
                        "@SOURCES@/00-x/g1_a.cu"}},
                      {"folders", {"workers/lessons/00-x"}},
                      {"reads", json::array()}};
    const json all = {{"schema", "gpu-ladder-harness/1"},
                      {"root", harness.string()},
                      {"targets", {"judges/00-x"}},
                      {"recipes", json::array({one})}};
    write_text(built / "prebuilt.json", all.dump());
  }
  std::string ninja() const { return Harness(built).ninja(copy, copy / "build"); }
};

}  // namespace

TEST_CASE("of a copy only its steps are compiled, in its own folder", "[harness]") {
  const Copy x;
  const Harness harness(x.built);
  CHECK(harness.compiles("workers/lessons/00-x/g1_a.executor"));
  CHECK_FALSE(harness.compiles("judges/00-x"));
  CHECK(harness.targets().size() == 2);
  const std::string ninja = x.ninja();
  INFO(ninja);
  const std::string source = (x.copy / "lessons/00-x/g1_a.cu").string();
  CHECK(ninja.find("build workers/lessons/00-x/g1_a.executor: step " + source) != ninja.npos);
  CHECK(ninja.find("-o " + (x.copy / "build/workers/lessons/00-x/g1_a.executor").string()) != ninja.npos);
  CHECK(ninja.find(" $$X ") != ninja.npos);
  CHECK(ninja.find("@") == ninja.npos);
}

TEST_CASE("a step is compiled again for another header next to it, and for another harness", "[harness]") {
  const Copy x;
  const std::string before = x.ninja();
  write_text(x.copy / "lessons/00-x/mine.hpp", "\n");
  const std::string with_header = x.ninja();
  CHECK(with_header != before);
  CHECK(with_header.find("| " + (x.copy / "lessons/00-x/mine.hpp").string()) != with_header.npos);
  json other = json::parse(read_text(x.built / "prebuilt.json"));
  other["targets"].push_back("judges/01-y");
  write_text(x.built / "prebuilt.json", other.dump());
  CHECK(x.ninja() != with_header);
}

TEST_CASE("machine code for this processor is tied to it, other code is not", "[harness]") {
  const auto script = [](const std::string& ninja) {
    const auto at = ninja.find(" # ");
    return ninja.substr(at, ninja.find('\n', at) - at);
  };
  const Copy plain, native("-march=native");
  CHECK(script(native.ninja()).size() == script(plain.ninja()).size() + 13);
}

TEST_CASE("a copy with another contract is not judged by the harness's", "[harness]") {
  const Copy x;
  const Harness harness(x.built);
  CHECK(harness.differs(x.copy, "00-x").empty());
  write_text(x.copy / "lessons/00-x/x.hpp", "struct Problem { int n; };\n");
  CHECK(harness.differs(x.copy, "00-x").starts_with("lessons/00-x/x.hpp is another one"));
  const Copy y;
  write_text(y.harness / "lessons/00-x/rungs.toml", "title = \"x\"\n");
  CHECK(Harness(y.built).differs(y.copy, "00-x").starts_with("lessons/00-x/rungs.toml is another one"));
}

TEST_CASE("a folder that holds no harness is named", "[harness]") {
  const ScratchFolder empty;
  CHECK_THROWS_AS(Harness(empty.path()), UsageError);
}

TEST_CASE("a harness of another version is named like any other that cannot be used", "[harness]") {
  static_assert(std::is_base_of_v<std::exception, UsageError>);  // whoever catches these catches all
  const Copy x;
  json other = json::parse(read_text(x.built / "prebuilt.json"));
  other["schema"] = "gpu-ladder-harness/2";
  write_text(x.built / "prebuilt.json", other.dump());
  CHECK_THROWS_WITH(Harness(x.built),
                    Catch::Matchers::StartsWith("LADDER_HARNESS=" + x.built.string() + ": ") &&
                        Catch::Matchers::EndsWith("./ladder image prebuild makes one"));
}

/// @file
/// The verbs submit and bench on the toy checkout: what is packed, what is refused, the receipt's way.
// Guards: docs/student.md#hand-in-submit

#include <unistd.h>

#include <cstdlib>

#include "common/base/text/text.hpp"
#include "common/grade/csv.hpp"
#include "common/grade/intake/intake.hpp"
#include "common/grade/intake/zip.hpp"
#include "common/grade/record.hpp"
#include "common/report/html/grade_pages.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::read_text;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::transcript;
using nlohmann::json;
namespace fs = std::filesystem;
namespace grade = ladder::grade;

namespace {

const std::string c1_file = "lessons/07-toy/c1_first.cpp", g1_file = "lessons/07-toy/g1_naive.cu",
                  zip_file = "submission-07-toy.zip";

/// Refuses what has #error, and includes of files that do not lie next to the source.
constexpr const char* clean_compiler =
    "#!/bin/sh\n"
    "line=$(grep -n '#error' \"$1\" | head -n 1 | cut -d : -f 1)\n"
    "[ -z \"$line\" ] || { echo \"$1:$line:2: error: #error said so\"; exit 1; }\n"
    "sed -n 's/^#include \"\\(.*\\)\"/\\1/p' \"$1\" | while read -r name; do\n"
    "  [ -e \"$(dirname \"$1\")/$name\" ] || { echo \"$1:1:2: error: $name: No such file\"; exit 1; }\n"
    "done || exit 1\n"
    "cp \"$1\" \"$2\"\n";

/// The toy, whose steps are named by whole paths, as CMake does.
struct Student : Checkout {
  Student() {
    std::string ninja = read("build/build.ninja"), folder = root().string() + "/lessons/";
    ladder::replace_all(folder, " ", "$ ");
    ladder::replace_all(ninja, ": compile ../lessons/", ": compile " + folder);
    write("build/build.ninja", ninja);
    write("build/compile.sh", clean_compiler);
    write(c1_file, "#include \"tile.hpp\"\n// fake all PASS right\n");
    write("lessons/07-toy/tile.hpp", "int tile = 32;\n");
    write("lessons/07-toy/unused.hpp", "int unused;\n");
    write(g1_file, "// fake all PASS right\n");
    write("notes.md", "because\n");
  }
  ProcessResult submit(std::vector<std::string> arguments = {"07/c1", "07/g1"},
                       const std::string& zone = "UTC0") const {
    arguments.insert(arguments.begin(), "submit");
    return tool(std::move(arguments), {{"TZ", zone}, {"COLUMNS", "300"}});
  }
};

std::string receipt_in(const ProcessResult& ended) {
  const auto at = ended.output.find("Receipt");
  return at == std::string::npos ? "" : ended.output.substr(at + 17, 8);
}

json toy_course() {
  const json rung = {{"rung", "07/c1"}, {"points", 4}}, other = {{"rung", "07/g1"}, {"points", 4}},
             number = {{"rung", "07/c1"}, {"metric", "sectors"}, {"n", ""}, {"points", 1}},
             why = {{"rung", "07/c1"}, {"ask", "Why?"}, {"points", 1}},
             what = {{"rung", "07/c1"}, {"ask", "What else?"}, {"points", 1}};
  const json one = {{"name", "hw1"},
                    {"opens", "2020-01-01T00:00:00Z"},
                    {"due", "2020-02-14T23:59:00Z"},
                    {"rungs", json::array({rung})},
                    {"predict", json::array({number})},
                    {"manual", json::array({why, what})}};
  json next = one;
  next["name"] = "hw2", next["due"] = "2120-02-14T23:59:00Z";
  next["rungs"] = json::array({other}), next["predict"] = next["manual"] = json::array();
  return {{"schema", "gpu-ladder-course/1"},
          {"course", "CS"},
          {"term", "2020"},
          {"timezone", "UTC"},
          {"assignments", json::array({one, next})}};
}

}  // namespace

TEST_CASE("submit: from the files to the receipt on the student's page") {
  const Student s;
  s.tool({"predict", "07/g1", "sectors=5"});
  const ProcessResult done = s.submit();
  REQUIRE(done.status == 0);
  approve("packed", done);
  const std::string receipt = receipt_in(done);
  REQUIRE(receipt.size() == 8);
  const grade::Tree packed = grade::read_zip(s.root() / zip_file);
  std::vector<std::string> paths;
  for (const auto& [path, file] : packed) paths.push_back(path);
  CHECK(paths == std::vector<std::string>{"submission/lessons/07-toy/c1_first.cpp",
                                          "submission/lessons/07-toy/g1_naive.cu",
                                          "submission/lessons/07-toy/tile.hpp", "submission/manifest.json",
                                          "submission/notes.md", "submission/predictions.json"});
  // As grade takes it, with fewer steps than were packed.
  const grade::Taken taken =
      grade::take(s.root() / zip_file, {.steps = {"07-toy/c1_first.cpp"}}, s.root() / "pristine");
  CHECK(taken.refused.empty());
  const auto record =
      grade::new_record({.pseudonym = "S-ABCDEFGH", .name = "anna", .received = "", .attempt = 1}, taken, {});
  CHECK(record.submission.differences.empty());
  CHECK(ladder::report::student_page(grade::student_view(record)).find(receipt) != std::string::npos);
  CHECK(grade::overview_csv({record}).find("," + receipt + ",") != std::string::npos);
}

TEST_CASE("submit: rungs that are not started are named, and no other package is lost") {
  const Student s;
  s.write(g1_file, "void f() {\n  ladder::task();\n}\n");
  const ProcessResult first = s.submit();
  approve("not-started", first);
  const std::string before = s.read(zip_file);
  CHECK_FALSE(has(s.submit(), "Replaced"));  // the same files make the same package
  s.write(g1_file, "// fake all PASS right\n");
  const ProcessResult second = s.submit();
  approve("replaced", second);
  const auto at = second.output.find(".ladder/old/");
  const std::string kept = second.output.substr(at, second.output.find('\n', at) - at);
  CHECK(s.read(kept) == before);
  s.write("mine.zip", "my own notes, no zip\n");
  approve("no-zip", s.submit({"07/g1", "--out", "mine.zip"}));
  CHECK(s.read("mine.zip") == "my own notes, no zip\n");
}

TEST_CASE("submit: equal files give equal bytes, wherever, whenever and whoever") {
  const Student one, other;
  for (const Student* s : {&one, &other}) s->tool({"predict", "07/g1", "sectors=5"});
  other.tool({"check", "07/g1"});
  other.write(g1_file, "// other\n");
  other.submit({"07/g1"});
  other.write(g1_file, one.read(g1_file));
  const ProcessResult first = one.submit(), second = other.submit({"07/c1", "07/g1"}, "Asia/Tokyo");
  INFO(first.output << second.output);
  const std::string bytes = one.read(zip_file);
  CHECK_FALSE(bytes.empty());
  CHECK(bytes == other.read(zip_file));
  std::string all = bytes;
  for (const auto& [path, file] : grade::read_zip(one.root() / zip_file)) all += path + file.bytes;
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const char* const user = std::getenv("USER");
  for (const std::string& word :
       {std::string(host), std::string(user ? user : "root"), one.root().string(),
        std::string("toy checkout"), std::string(".ladder"), std::string("2026-"), std::string("\"time\"")}) {
    INFO(word);
    CHECK((word.empty() || all.find(word) == std::string::npos));
  }
}

TEST_CASE("submit: what does not build in a clean folder is refused, unless it shall go anyway") {
  const Student s;
  s.write(g1_file, "\n#error\n");
  const ProcessResult refused = s.submit();
  CHECK(refused.status == 1);
  approve("does-not-build", refused);
  CHECK_FALSE(fs::exists(s.root() / zip_file));
  CHECK(receipt_in(s.submit({"07/c1", "07/g1", "--anyway"})).size() == 8);
  // It builds here, where the file lies; no grader would get it.
  s.write(g1_file, "#include \"part.inc\"\n");
  s.write("lessons/07-toy/part.inc", "\n");
  CHECK(s.tool({"check", "07/g1"}).status == 0);
  const ProcessResult alone = s.submit();
  CHECK(alone.status == 1);
  approve("header-stays-here", alone);
}

TEST_CASE("submit: says what has changed since the last time, and what is not there") {
  const Student s;
  const std::string before = receipt_in(s.submit());
  s.write(g1_file, "// fake all PASS now\n");
  const ProcessResult again = s.submit();
  CHECK(has(again, "as in " + before));
  CHECK(has(again, "changed since " + before));
  approve("changed-since", again);
  CHECK(receipt_in(again) != before);
  fs::remove(s.root() / g1_file);
  const auto entry = ladder::test::step(s.json({"submit", "07/c1", "07/g1"}, 0), "g1_naive");
  CHECK(entry["change"] == "missing");
  fs::remove(s.root() / c1_file);
  std::string refused;
  for (const std::vector<std::string>& names :
       std::vector<std::vector<std::string>>{{"07/c1", "07/g1"}, {}, {"07/c2"}, {"--assignment", "hw1"}}) {
    std::vector<std::string> call = {"submit"};
    call.insert(call.end(), names.begin(), names.end());
    refused += transcript(call, s.submit(names));
  }
  approve("refused", refused);
  s.write(".ladder/submitted.json", "no json");
  s.write(c1_file, "\n//\n");
  CHECK(s.submit().status == 0);
}

TEST_CASE("submit: a course's handout knows assignment, deadline, questions and predictions") {
  const Student s;
  s.write(".handout/course.json", toy_course().dump());
  s.write("notes.md", "## 07/c1: Why?\n\n");
  const ProcessResult next = s.submit({});
  CHECK(fs::exists(s.root() / "submission-hw2.zip"));
  approve("next-assignment", next);
  const ProcessResult late = s.submit({"--assignment", "hw1"}, "Asia/Tokyo");
  // What the approved files do not have: dates.
  CHECK(has(late, "Sat 2020-02-15 08:59 JST (2020-02-14 23:59 UTC where the course is)"));
  approve("late-and-incomplete", late);
  approve("unknown-assignment", s.submit({"--assignment", "hw3"}));
  approve("assignment-and-names", s.submit({"07/c1", "--assignment", "hw1"}));
  s.tool({"predict", "07/c1", "sectors=5"});
  s.write("notes.md", "## 07/c1: Why?\nso\n\n## 07/c1: What else?\nthis\n");
  const ProcessResult whole = s.submit({"--assignment", "hw1"});
  approve("complete", whole);
}

TEST_CASE("bench: times what has a time here, and says why the rest has none") {
  const Checkout c;
  c.order(c1_file, "all PASS right");
  c.order(g1_file, "all PASS right");
  const ProcessResult done = c.tool({"bench", "07", "--html", "bench.html"},
                                    {{"FAKE_PLAN_COPY", (c.root() / "plan.json").string()}});
  approve("bench", done);
  CHECK(json::parse(c.read("plan.json"))["kinds"] == json({"correctness", "time"}));
  CHECK(c.read("bench.html").find("07/c1 c1_first.cpp: PASS") != std::string::npos);
  const json result = ladder::test::step(c.json({"bench", "07/c1"}, 0), "c1_first");
  CHECK(result["verdict"] == "PASS");
  CHECK(result["kinds"][1]["points"] == 1.0);  // of time alone
  CHECK_FALSE(std::filesystem::exists(c.root() / ".ladder/state.json"));
  c.tool({"check", "07/c1"});
  c.tool({"bench", "07/c1"});
  const json kept = json::parse(c.read(".ladder/state.json"))["07-toy/c1_first"];
  CHECK(kept["verdict"] == "PASS");
  CHECK(kept["timed"]["ratio"]["baseline"] == 2.0);
  approve("bench-nothing-to-time", c.tool({"bench", "07/g1"}));
  CHECK(c.tool({"bench", "07/g1", "--strict"}).status == 1);
  approve("bench-what", c.tool({"bench"}));
  c.order(c1_file, "correctness WRONG first C[0][1]");
  approve("bench-wrong", c.tool({"bench", "07/c1"}));
}

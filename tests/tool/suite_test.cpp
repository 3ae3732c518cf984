/// @file
/// Suites with known labels: their descriptions, how results are counted, drivers, and compute-sanitizer's
/// words.
// Guards: docs/executor.md

#include "common/tool/validate/suite.hpp"

#include <algorithm>
#include <fstream>

#include "common/base/files/files.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/validate/sanitizer_log.hpp"
#include "common/tool/validate/suite_counts.hpp"
#include "common/tool/validate/suite_driver.hpp"
#include "tests/common/catch.hpp"

namespace ladder::suite_tests {

namespace fs = std::filesystem;

namespace {

using Kinds = std::set<std::string>;
using Names = std::vector<std::string>;

/// A folder with files.
class Folder {
 public:
  const Folder& write(const std::string& name, const std::string& text) const {
    write_text(path() / name, text);
    return *this;
  }
  Suite read(const std::string& labels = "") const {
    return read_suite(path(), labels, fs::path(LADDER_PROJECT) / "common/tool/suites");
  }
  /// What reading is refused with.
  std::string refused(const std::string& labels = "") const {
    try {
      read(labels);
    } catch (const UsageError& error) {
      return error.text;
    }
    return "";
  }
  fs::path path() const { return scratch_.path(); }

 private:
  ScratchFolder scratch_;
};

const SuiteProgram& program(const Suite& suite, const std::string& file) {
  const auto found = std::find_if(suite.programs.begin(), suite.programs.end(),
                                  [&](const SuiteProgram& one) { return one.file == file; });
  REQUIRE(found != suite.programs.end());
  return *found;
}

using ladder::test::contains;

}  // namespace

TEST_CASE("labels by patterns of names, of first comments and of what a program contains") {
  const Folder folder;
  folder.write("a/one_raceBug.cu", "").write("a/one.cu", "").write("b/two_boundsBug_raceBug.cu", "");
  folder.write("b/old.cu", "//xfail: a race\nint x;\n// proof\n")
      .write("b/lock_raceBug.cu", "volatile")
      .write("notes.txt", "");
  folder.write("labels.toml", R"(suite = "own"
programs = '.*\.cu'
seconds = 9
runs = ["a 1", "a 2"]
[[label]]
name = "raceBug"
class = "race"
path = '_raceBug'
[[label]]
name = "raceBug"
class = "race"
head = '^//xfail.*race'
[[label]]
name = "boundsBug"
kinds = ["out-of-bounds"]
path = '_boundsBug'
[[not_applicable]]
label = ["raceBug"]
contains = ["volatile"]
reason = "relaxed accesses"
)");
  const Suite suite = folder.read();
  CHECK(suite.name == "own");
  CHECK(suite.seconds == 9);
  REQUIRE(suite.programs.size() == 5);
  CHECK(program(suite, "a/one.cu").labels.empty());
  CHECK(program(suite, "a/one.cu").runs == Names{"a 1", "a 2"});
  CHECK(program(suite, "a/one_raceBug.cu").labels == Names{"raceBug"});
  CHECK(program(suite, "b/old.cu").labels == Names{"raceBug"});
  CHECK(program(suite, "b/two_boundsBug_raceBug.cu").labels == Names{"raceBug", "boundsBug"});
  CHECK(program(suite, "b/lock_raceBug.cu").not_applicable == "relaxed accesses");
  REQUIRE(suite.classes.size() == 2);
  CHECK(suite.classes[0] == SuiteClass{"raceBug", {"shared-race", "global-race", "same-value-race"}});
  CHECK(suite.classes[1] == SuiteClass{"boundsBug", {"out-of-bounds"}});
}

TEST_CASE(
    "a program of which nothing says whether it has a bug is not applicable, where clean ones are named") {
  const Folder folder;
  folder.write("race_a.cu", "").write("norace_a.cu", "").write("other.cu", "");
  folder.write("labels.toml",
               "suite = 'own'\nprograms = '.*cu'\n[[label]]\nname = 'race'\nclass = 'race'\npath = '^race_'\n"
               "[clean]\npath = '^norace_'\n");
  const Suite suite = folder.read();
  CHECK(program(suite, "norace_a.cu").not_applicable.empty());
  CHECK(contains(program(suite, "other.cu").not_applicable, "nothing says"));
}

TEST_CASE("an entry for programs that are said to be free of bugs leaves those with a label to be judged") {
  const Folder folder;
  folder.write("sum.cu", "").write("sum_race.cu", "").write("other.cu", "");
  const std::string text =
      "suite = 'own'\nprograms = '.*cu'\n[[label]]\nname = 'race'\nclass = 'race'\npath = '_race'\n"
      "[[not_applicable]]\nclean = true\npath = 'sum'\nreason = 'untagged, and yet a race'\n";
  folder.write("labels.toml", text);
  const Suite suite = folder.read();
  CHECK(program(suite, "sum.cu").not_applicable == "untagged, and yet a race");
  CHECK(program(suite, "sum_race.cu").not_applicable.empty());
  CHECK(program(suite, "other.cu").not_applicable.empty());
  folder.write("labels.toml", text + "label = ['race']\n");
  CHECK(contains(folder.refused(), "a program with a label is not free of bugs"));
}

TEST_CASE("labels by a table: classes, flags, arguments, and a reason why a label does not apply") {
  const Folder folder;
  folder.write("a.cu", "").write("b.cu", "").write("c.cu", "");
  folder.write("labels.csv",
               "program,class,flags,arguments,reason\na.cu,race bounds,-DN=4 -Iinclude,7 8,\nb.cu,clean,,,\n"
               "c.cu,global-race,,,\"volatile, as PTX has it\"\n");
  const Suite suite = folder.read();
  CHECK(program(suite, "a.cu").labels == Names{"race", "bounds"});
  CHECK(program(suite, "a.cu").flags == Names{"-DN=4", "-Iinclude"});
  CHECK(program(suite, "a.cu").runs == Names{"7 8"});
  CHECK(program(suite, "b.cu").labels.empty());
  CHECK(program(suite, "c.cu").not_applicable == "volatile, as PTX has it");
  CHECK(suite.classes.back() == SuiteClass{"global-race", {"global-race"}});
}

TEST_CASE("what is wrong with a suite is one clear line, with its place") {
  const Folder folder;
  folder.write("a.cu", "");
  CHECK(contains(folder.refused(), "has no labels.toml or labels.csv"));
  CHECK(contains(folder.refused(), "indigo"));
  CHECK(contains(folder.refused("indgo"), "nearest: indigo"));
  CHECK(contains(folder.refused("scor"), "none of its files is a program"));
  folder.write("labels.csv", "program,class\nb.cu,race\na.cu,rase\n");
  CHECK(contains(folder.refused(), "labels.csv:2: no such file"));
  CHECK(contains(folder.refused(), "labels.csv:3: unknown class 'rase'; nearest: race"));
  folder.write("labels.csv", "file,kind\na.cu,race\n");
  CHECK(contains(folder.refused(), "labels.csv:1: a column program is missing"));
  const auto toml = [&](const std::string& text) {
    folder.write("x.toml", text);
    return folder.refused((folder.path() / "x.toml").string());
  };
  CHECK(contains(toml("suite = "), "x.toml:1:"));
  CHECK(
      contains(toml("suite = 'x'\nprograms = '('\n"), "x.toml:2:12: programs '(' is no regular expression"));
  CHECK(contains(toml("suite = 'x'\n"), "which files are programs"));
  CHECK(contains(toml("suite = 'x'\nprograms = '.*'\n[[label]]\nname = 'a'\nclass = 'rase'\npath = 'a'\n"),
                 "nearest: race"));
  CHECK(contains(toml("suite = 'x'\nprograms = '.*'\nprogrammes = 1\n"), "programmes"));
  CHECK(contains(toml("suite = 'x'\n[[program]]\nfile = 'z.cu'\nlabel = ['q']\n"), "no such file"));
  try {
    read_suite(folder.path() / "nowhere", "", "");
    FAIL("a folder that is not there");
  } catch (const UsageError& error) {
    CHECK(contains(error.text, "nowhere: no such folder"));
  }
}

TEST_CASE("the descriptions of public suites can be read: their patterns and classes are right") {
  for (const auto& entry : fs::directory_iterator(fs::path(LADDER_PROJECT) / "common/tool/suites")) {
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    const Folder folder;
    const std::string refused = folder.refused(name);
    CHECK(contains(refused, name == "sanitizer-samples" ? "no such file" : "none of its files is a program"));
    CHECK_FALSE(contains(refused, "unknown"));
  }
}

TEST_CASE("a sample is the same programs each time, whatever their order") {
  Suite suite;
  for (int i = 0; i < 40; ++i) suite.programs.push_back({.file = std::to_string(i)});
  Suite turned = suite;
  std::reverse(turned.programs.begin(), turned.programs.end());
  take_sample(suite, 7);
  take_sample(turned, 7);
  REQUIRE(suite.programs.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(suite.programs[i].file == turned.programs[i].file);
}

TEST_CASE("counts of each class: found, warned, missed, accused, not applicable, not judged") {
  Suite suite;
  suite.classes = {
      {"race", {"global-race", "same-value-race"}}, {"bounds", {"out-of-bounds"}}, {"hang", {"timeout"}}};
  std::vector<SuiteResult> results;
  const auto add = [&](Names labels, Kinds errors, Kinds warnings = {}, const std::string& not_judged = "",
                       const std::string& not_applicable = "") {
    suite.programs.push_back({.file = "x.cu", .labels = std::move(labels), .not_applicable = not_applicable});
    results.push_back(
        {.errors = std::move(errors), .warnings = std::move(warnings), .not_judged = not_judged});
  };
  add({"race"}, {"global-race"});
  add({"race"}, {}, {"same-value-race"});
  add({"race"}, {"out-of-bounds"});            // another bug: missed
  add({"race", "bounds"}, {"out-of-bounds"});  // one of both
  add({"race"}, {}, {}, "/tmp/ladder-7-a/x.cu:8: does not compile");
  add({"race"}, {}, {}, "", "volatile");
  add({"race"}, {"timeout"});  // nothing is known of it
  add({"hang"}, {"timeout"});
  add({}, {});
  add({}, {"global-race"});
  add({}, {"uninitialised"});
  add({}, {}, {"same-value-race"});
  add({}, {"timeout"});
  const SuiteReport report = count(suite, results);
  const SuiteCounts& race = report.classes[0];
  CHECK(race.labelled == 7);
  CHECK(race.found == 1);
  CHECK(race.warned == 1);
  CHECK(race.missed == 2);
  CHECK(race.not_applicable == 1);
  CHECK(race.not_judged == 2);
  CHECK(race.accused == 1);
  CHECK(race.accused_by_warning == 1);
  CHECK(race.recall(false) == Approx(0.25));
  CHECK(race.recall(true) == Approx(0.5));
  CHECK(race.precision() == Approx(0.5));
  CHECK(report.classes[1].found == 1);
  CHECK(report.classes[1].precision() == 1);
  CHECK(report.classes[2].found == 1);
  CHECK(report.all.labelled == 8);
  CHECK(report.all.found == 3);
  CHECK(report.all.accused == 2);
  CHECK(report.all.accused_by_warning == 1);
  CHECK(report.clean == 4);
  // Against detectors of races: the program with two bugs is one of seven, and that which hangs is one
  // without a race.
  CHECK(report.races.labelled == 7);
  CHECK(report.races.found == 1);
  CHECK(report.races.missed == 2);
  CHECK(report.races.accused == 1);
  CHECK(report.without_races == 4);
  CHECK(report.missed == std::vector<std::size_t>{1, 2});
  CHECK(report.accused == std::vector<std::size_t>{9, 10});
  suite.about = {"global-race"};  // labels that speak of races only
  CHECK(count(suite, results).all.accused == 1);
  add({}, {}, {}, "/tmp/ladder-7-b/x.cu:12:3: does not compile");
  const std::string text = text_of(suite, results, report, 200);
  CHECK(contains(text, "2 programs: does not compile\n"));
  CHECK(contains(text, "1 program: volatile"));
  for (const SuiteResult& one : results) CHECK(suite_result_of(to_json(one)) == one);
}

TEST_CASE("a race in a program with any bug at all accuses nobody of a race") {
  Suite suite;
  suite.classes = {{"race", {"global-race"}}, {"other", {"*"}}};
  suite.programs = {
      {.file = "a.cu", .labels = {"race"}}, {.file = "b.cu", .labels = {"other"}}, {.file = "c.cu"}};
  const SuiteResult race{.errors = {"global-race"}};
  const SuiteReport report = count(suite, {race, race, race});
  CHECK(report.races.found == 1);
  CHECK(report.races.accused == 1);
  CHECK(report.without_races == 1);
  CHECK(report.all.found == 2);
}

TEST_CASE("no shares of nothing") {
  CHECK(SuiteCounts{}.recall(true) == -1);
  CHECK(SuiteCounts{}.precision() == -1);
  CHECK_FALSE(to_json(SuiteCounts{}).contains("recall"));
}

TEST_CASE("a driver for kernels: their launch from the comment, in the file's order, lines in their places") {
  const Driven made = add_driver(
      "//pass\n//--blockDim=[8,4] --gridDim=2 --no-inline -DN=64\n\n#include <cuda.h>\n"
      "// __global__ void not_this(int) {}\n/* __global__ void nor_this() {} */\n"
      "__global__ void declared(int* p);\n"
      "extern \"C\" __global__ void __launch_bounds__(64)\nfirst (float *v, int (*f)(int)) {\n}\n"
      "template <class T> __global__ void of_types(T* p) {}\n"
      "static __attribute__((always_inline)) __device__ void helper() {}\n__global__\nvoid second() { "
      "helper(); }\n");
  CHECK(made.problem.empty());
  CHECK(made.flags == Names{"-DN=64"});
  CHECK(contains(made.source,
                 "driver::launch(first, dim3(2), dim3(8,4), pattern);\n  driver::launch(second, "));
  for (const char* none :
       {"launch(declared", "launch(not_this", "launch(nor_this", "launch(of_types", "launch(helper"})
    CHECK_FALSE(contains(made.source, none));
  CHECK(std::count(made.source.begin(),
                   made.source.begin() + static_cast<std::ptrdiff_t>(made.source.find("first (")),
                   '\n') == 8);
  CHECK(contains(made.source, "kernel<<<grid, block>>>"));
  CHECK(contains(
      add_driver("//pass\n//--blockDim=8 --gridDim=2\n#include <cuda.h>\n\n__global__ void k(int* A)\n{}")
          .source,
      "driver::launch(k, "));
  CHECK(contains(
      add_driver("//pass\n//--blockDim=8 --gridDim=2\n__global__ void k() { this_grid().sync(); }").source,
      "cudaLaunchCooperativeKernel"));
  CHECK(contains(add_driver("//pass\n__global__ void k() {}\n").problem, "--blockDim"));
  CHECK(contains(add_driver("//pass\n//--blockDim=8 --gridDim=2\nint x;\n").problem, "no kernel"));
}

TEST_CASE("compute-sanitizer's words mean the kinds of the executor's findings") {
  const SanitizerLog memory = read_sanitizer_log(
      "========= COMPUTE-SANITIZER\n========= Invalid __global__ write of size 4 bytes\n"
      "=========     at unaligned_kernel()+0x160 in memcheck_demo.cu:34\n"
      "=========     Address 0x7f6510c00001 is misaligned\n=========     and is inside the nearest "
      "allocation\n"
      "=========\n========= Invalid __global__ write of size 4 bytes\n=========     at "
      "out_of_bounds_function()\n"
      "=========     Address 0x87654320 is out of bounds\n"
      "========= Program hit unspecified launch failure (error 719) on CUDA API call to "
      "cudaDeviceSynchronize.\n"
      "========= Leaked 1,024 bytes at 0x7f6510a00000\n=========     Saved host backtrace\n"
      "========= ERROR SUMMARY: 3 errors\n");
  CHECK(memory.errors == Kinds{"leak", "misaligned", "out-of-bounds"});
  CHECK(memory.first == "Invalid __global__ write of size 4 bytes");
  const SanitizerLog races = read_sanitizer_log(
      "an own line of the program\n========= COMPUTE-SANITIZER\n"
      "========= Warning: Race reported between Read access at k()+0x1f0 in shared.cu:91\n"
      "========= Error: Race reported between Write access at k()+0xb0 in shared.cu:210\n"
      "=========     and Read access at k()+0x1a0 in shared.cu:211 [1 hazards]\n"
      "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n");
  CHECK(races.errors == Kinds{"shared-race"});
  CHECK(races.warnings == Kinds{"shared-race"});
  CHECK(read_sanitizer_log("========= Uninitialized __global__ memory read of size 4 bytes\n").errors ==
        Kinds{"uninitialised"});
  CHECK(read_sanitizer_log("========= Barrier error detected. Divergent thread(s) in warp.\n").errors ==
        Kinds{"barrier"});
  CHECK(read_sanitizer_log("========= Error: Out of memory of the tool\n").unknown ==
        "Error: Out of memory of the tool");
  CHECK(
      read_sanitizer_log("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n").errors.empty());
}

TEST_CASE("the published table has every suite that has a description, and nothing without a source") {
  const nlohmann::json published = need_json(fs::path(LADDER_PROJECT) / "docs/results/published-suites.json");
  Kinds listed, described;
  for (const std::string name : published.at("suites")) listed.insert(name);
  for (const auto& entry : fs::directory_iterator(fs::path(LADDER_PROJECT) / "common/tool/suites")) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);)
      if (line.rfind("suite = \"", 0) == 0) described.insert(line.substr(9, line.size() - 10));
  }
  CHECK(listed == described);
  for (const nlohmann::json& row : published.at("published")) {
    CHECK(listed.count(row.at("suite")) == 1);
    CHECK_FALSE(row.at("source").get<std::string>().empty());
  }
}

}  // namespace ladder::suite_tests

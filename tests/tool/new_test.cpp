/// @file
/// The verb new, on the toy checkout: files with TODO, each named by test; all files or none.
// Guards: docs/adding-a-lesson.md#a-rung-in-ten-minutes

#include <unistd.h>

#include "common/lesson/rungs_file.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
namespace fs = std::filesystem;

namespace {

/// A checkout that has templates.
void toy_lesson(const Checkout& c) {
  const fs::path project = fs::path(RESULTS_SCHEMA).parent_path().parent_path();
  fs::create_directories(c.root() / "common/tool");
  fs::copy(project / "common/tool/templates", c.root() / "common/tool/templates",
           fs::copy_options::recursive);
  c.write("lessons/07-toy/README.md", "# 07\n\n## c1 · First\n\n## g1 · Naive\n\n## Beyond\n");
}

/// Every file of the checkout's three trees, with its text.
std::map<std::string, std::string> trees(const Checkout& c) {
  std::map<std::string, std::string> all;
  for (const char* tree : {"lessons", "solutions", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(c.root() / tree))
      all[entry.path().lexically_relative(c.root())] =
          fs::is_directory(entry) ? "" : ladder::read_text(entry.path());
  return all;
}

}  // namespace

TEST_CASE(
    "new rung: solution, skeleton, mutants, row and section; test names each TODO and judges the others") {
  const Checkout c;
  toy_lesson(c);
  approve("rung", c.tool({"new", "rung", "07/c3_third"}));
  CHECK(c.read("solutions/07-toy/c3_third.cpp").find("void third([[maybe_unused]] const Problem& p)") !=
        std::string::npos);
  CHECK(c.read("lessons/07-toy/c3_third.cpp").find("ladder::task();") != std::string::npos);
  CHECK(c.read("lessons/07-toy/c3_third.cpp").find("SOLUTION") == std::string::npos);
  const std::string table = c.read("lessons/07-toy/rungs.toml"), page = c.read("lessons/07-toy/README.md");
  CHECK(table.find("c2_second") < table.find("c3_third"));
  CHECK(table.find("c3_third") < table.find("g1_naive"));
  CHECK(page.find("## c3 · TODO") < page.find("## g1"));
  CHECK(page.find('@') == std::string::npos);

  c.write("build/build.ninja",
          c.read("build/build.ninja") + "build workers/solutions/07-toy/c3_third.cpu: copy speed.sh\n");
  const ProcessResult tested =
      c.tool({"test", "07", "--part", "tree", "--part", "solutions"}, {{"COLUMNS", "200"}});
  CHECK_FALSE(has(tested, "FAILED  lessons/07-toy/c3_third.cpp"));  // the solution says it
  approve("test-of-a-new-rung", tested);
}

TEST_CASE("new rung: the name says which template") {
  const Checkout c;
  toy_lesson(c);
  CHECK(c.tool({"new", "rung", "toy/g2_tiles"}).status == 0);  // as the lesson's others: CUDA
  CHECK(c.read("solutions/07-toy/g2_tiles.cu").find("__global__") != std::string::npos);
  CHECK(c.tool({"new", "rung", "07-toy/g3_queue.cpp"}).status == 0);
  CHECK(c.read("solutions/07-toy/g3_queue.cpp").find("opencl.hpp") != std::string::npos);
  CHECK(c.tool({"new", "rung", "07/m1_ring"}).status == 0);
  CHECK(c.read("lessons/07-toy/rungs.toml").find("\nranks = 3\n") != std::string::npos);
}

TEST_CASE("new: bad input is one line, status 2, and nothing is written") {
  const Checkout c;
  toy_lesson(c);
  c.write("tests/07-toy/mutants/c7_left.mutants", "left\n");
  const auto before = trees(c);
  const std::vector<std::vector<std::string>> calls = {
      {"new"},
      {"new", "rang", "07/c3_x"},
      {"new", "rung", "c3_x"},
      {"new", "rung", "08/c3_x"},
      {"new", "rung", "07/x3_idea"},
      {"new", "rung", "07/c3-idea"},
      {"new", "rung", "07/c3_Idea"},
      {"new", "rung", "07/c0_idea"},
      {"new", "rung", "07/c3_"},
      {"new", "rung", "07/c99999999999_x"},
      {"new", "rung", "07/c3_while"},
      {"new", "rung", "07/c3_baseline"},
      {"new", "rung", "07/c3_x.cu"},
      {"new", "rung", "07/c1_other"},
      {"new", "rung", "07/c3_naive"},
      {"new", "rung", "07/c7_left"},
      {"new", "lesson", "7-jacobi"},
      {"new", "lesson", "08-Jacobi"},
      {"new", "lesson", "07-jacobi"},
      {"new", "lesson", "08-toy"},
      {"new", "lesson", "08-std"},
      {"new", "skeleton", "07/c9"},
  };
  approve("bad-input", refusals(c, calls, {{"COLUMNS", "200"}}));
  CHECK(trees(c) == before);
}

TEST_CASE("new: what cannot be written whole is taken back") {
  if (geteuid() == 0) LADDER_SKIP("root may write everywhere: the part nobody tries it");
  const Checkout c;
  toy_lesson(c);
  const auto before = trees(c);
  fs::permissions(c.root() / "tests/07-toy/mutants", fs::perms::owner_read | fs::perms::owner_exec);
  const ProcessResult ended = c.tool({"new", "rung", "07/c3_x"});
  fs::permissions(c.root() / "tests/07-toy/mutants", fs::perms::owner_all);
  INFO(ended.output);
  CHECK(ended.status == 2);
  CHECK(trees(c) == before);
}

TEST_CASE("new lesson: problem, table, baseline, page, problems, judge and a first rung") {
  const Checkout c;
  toy_lesson(c);
  const ProcessResult made = c.tool({"new", "lesson", "08-two-words"});
  approve("lesson", made);
  for (const char* file :
       {"lessons/08-two-words/problem.hpp", "lessons/08-two-words/rungs.toml",
        "lessons/08-two-words/baseline.cpp", "lessons/08-two-words/README.md",
        "lessons/08-two-words/c1_openmp.cpp", "solutions/08-two-words/c1_openmp.cpp",
        "tests/08-two-words/two_words_test.cpp", "tests/08-two-words/problems.hpp",
        "tests/08-two-words/amounts.hpp", "tests/08-two-words/answers.cpp", "tests/08-two-words/problems.cpp",
        "tests/08-two-words/mutants/c1_openmp.mutants"}) {
    INFO(file);
    CHECK(c.read(file).find('@' + std::string("space")) == std::string::npos);
  }
  CHECK(c.read("lessons/08-two-words/problem.hpp").find("namespace two_words {") != std::string::npos);
  const auto read = ladder::read_rungs_file(c.root() / "lessons/08-two-words/rungs.toml");
  CHECK(read.problems.empty());
  REQUIRE(read.lesson.steps.size() == 1);
  CHECK(read.lesson.steps[0].file == "c1_openmp.cpp");
}

TEST_CASE("new skeleton: cut again from the solution, a committed one too; a demonstration is copied") {
  const Checkout c;
  toy_lesson(c);
  const std::string skeleton = c.read("lessons/07-toy/g1_naive.cu");
  c.write("lessons/07-toy/g1_naive.cu", "old\n");
  CHECK(c.tool({"new", "skeleton", "07/g1"}).status == 0);
  CHECK(c.read("lessons/07-toy/g1_naive.cu") == skeleton);
  c.write("solutions/07-toy/c2_second.cpp", "// given whole, again\n");
  CHECK(c.tool({"new", "skeleton", "07/c2"}).status == 0);
  CHECK(c.read("lessons/07-toy/c2_second.cpp") == "// given whole, again\n");
}

TEST_CASE("test of one rung judges that rung") {
  const Checkout c;
  const ProcessResult one = c.tool({"test", "07/c1", "--part", "solutions", "--part", "mutants"});
  INFO(one.output);
  CHECK(one.status == 0);  // its parts end in any order
  CHECK(has(one, "solutions PASS                                1 passed"));
  CHECK(has(one, "mutants get their verdicts                    5 passed"));
}

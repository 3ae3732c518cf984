/// @file
/// What `test --changed` leaves out: what has passed with all that decides it as it is now.
// Guards: docs/contributing.md#tests

#include "common/tool/maintain/testing/test_store.hpp"

#include "common/base/files/files.hpp"
#include "tests/common/catch.hpp"

namespace ladder {
namespace {

/// A checkout with two lessons, and what has passed in it.
struct Passed {
  Passed() {
    for (const char* path :
         {"ladder", "common/judge/plan.cpp", "common/tool/student/list.cpp", "docs/student.md",
          "lessons/03-dgemm/g1_naive.cu", "lessons/03-dgemm/g2_tiles.cu", "lessons/03-dgemm/dgemm.hpp",
          "solutions/03-dgemm/g2_tiles.cu", "tests/03-dgemm/mutants/g2_tiles.mutants",
          "tests/03-dgemm/attempts/g2_tiles.flipped.cu", "lessons/04-other/g1_naive.cu",
          "tests/common/judge/rules_test.cpp", "tests/tool/list_test.cpp"})
      change(path);
    TestStore store = now();
    for (const auto& [part, job, step] : all) store.keep(part, job, step, nlohmann::json::array());
    store.save();
  }
  void change(const std::string& path) const { write_text(folder.path() / path, std::to_string(++count)); }
  TestStore now(const std::string& tools = "g++ 12") const {
    return {folder.path(), folder.path() / "verdicts.json", tools};
  }
  /// What must run again, by its job or step.
  std::vector<std::string> to_run(const std::string& tools = "g++ 12") const {
    const TestStore store = now(tools);
    std::vector<std::string> left;
    for (const auto& [part, job, step] : all)
      if (!store.passed(part, job, step)) left.push_back(step.empty() ? job : step);
    return left;
  }

  struct Piece {
    std::string part, job, step;
  };
  const std::vector<Piece> all = {{"mutants", "mutants of 03/g1 to 03/g2", "03-dgemm/g1_naive"},
                                  {"mutants", "mutants of 03/g1 to 03/g2", "03-dgemm/g2_tiles"},
                                  {"mutants", "mutants of 04/g1", "04-other/g1_naive"},
                                  {"units", "test-judge", ""},
                                  {"units", "test-verbs", ""},
                                  {"docs", "site and reports in a browser", ""}};
  ScratchFolder folder;
  mutable int count = 0;
};

using Names = std::vector<std::string>;
const Names of_lessons = {"03-dgemm/g1_naive", "03-dgemm/g2_tiles", "04-other/g1_naive"};

}  // namespace

TEST_CASE("what has passed is left out while nothing that decides it changes") {
  Passed passed;
  CHECK(passed.to_run().empty());
  CHECK(passed.to_run("g++ 13").size() == passed.all.size());
  passed.change("lessons/03-dgemm/new_file.hpp");  // what is added decides, too
  CHECK(passed.to_run() ==
        Names{"03-dgemm/g1_naive", "03-dgemm/g2_tiles", "test-verbs", "site and reports in a browser"});
}

TEST_CASE(
    "a rung's own files decide its verdicts, those of its lesson all rungs', and those of the judge all "
    "lessons'") {
  const std::string site = "site and reports in a browser";
  const std::pair<const char*, Names> cases[] = {
      {"solutions/03-dgemm/g2_tiles.cu", {"03-dgemm/g2_tiles", "test-verbs", site}},
      {"tests/03-dgemm/mutants/g2_tiles.mutants", {"03-dgemm/g2_tiles", "test-verbs", site}},
      {"tests/03-dgemm/attempts/g2_tiles.flipped.cu", {"03-dgemm/g2_tiles", "test-verbs", site}},
      {"lessons/03-dgemm/dgemm.hpp", {"03-dgemm/g1_naive", "03-dgemm/g2_tiles", "test-verbs", site}},
      {"lessons/04-other/g1_naive.cu", {"04-other/g1_naive", site}},
      {"common/judge/plan.cpp",
       {of_lessons[0], of_lessons[1], of_lessons[2], "test-judge", "test-verbs", site}},
      {"common/tool/student/list.cpp", {"test-verbs", site}},
      {"tests/common/judge/rules_test.cpp", {"test-judge", "test-verbs", site}},
      {"docs/student.md", {"test-verbs", site}}};
  for (const auto& [path, names] : cases) {
    const Passed passed;
    passed.change(path);
    INFO(path);
    CHECK(passed.to_run() == names);
  }
}

TEST_CASE("what was skipped when it passed is known, and a state that one goes back to is known, too") {
  Passed passed;
  const std::string before = read_text(passed.folder.path() / "common/tool/student/list.cpp");
  passed.change("common/tool/student/list.cpp");
  TestStore store = passed.now();
  store.keep("units", "test-verbs", "", {{{"name", "test-verbs"}, {"reason", "no GPU"}}});
  store.save();
  const auto known = passed.now().passed("units", "test-verbs", "");
  REQUIRE(known);
  CHECK((*known)["skips"][0]["reason"] == "no GPU");
  write_text(passed.folder.path() / "common/tool/student/list.cpp", before);
  CHECK(passed.to_run().empty());
}

}  // namespace ladder

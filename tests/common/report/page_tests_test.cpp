/// @file
/// The page of what tests prove: collected from the tests themselves, with costs of a stored run; and each
/// test that does not say which promise it guards is named.
// Guards: docs/contributing.md#tests

#include "common/report/results/test_part.hpp"
#include "common/sitegen/pages.hpp"
#include "common/sitegen/test_promises.hpp"

#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using namespace ladder::test;

namespace {

const char* const tests_md = "docs/tests.md";

/// Every page that the table of parts names, with the headings that it names, so that only a test's own
/// faults are told.
void write_pages_of_parts(Checkout& checkout) {
  std::map<std::string, std::string> pages;
  for (const TestPart& part : test_part_table())
    for (const std::string& guarded : part.guards) {
      const auto hash = guarded.find('#');
      std::string& text = pages[guarded.substr(0, hash)];
      if (text.empty()) text = "# A page\n";
      if (hash != guarded.npos) text += "\n## " + guarded.substr(hash + 1) + "\n";
    }
  pages["docs/student.md"] += "\n## Hints: three\n\n```\n## no heading\n```\n";
  for (const auto& [file, text] : pages) checkout.write(file, text);
}

/// One program of two sources, and a script.
void write_tests(Checkout& checkout) {
  write_pages_of_parts(checkout);
  checkout.write("tests/tool/CMakeLists.txt",
                 "tool_test(test-tool hint_test.cpp\n  fixture.cpp)\n"
                 "target_sources(test-tool PRIVATE more.cpp)\n");
  checkout.write("tests/tool/hint_test.cpp",
                 "/// @file\n/// A hint never tells\n/// the answer. Not even late.\n// Guards: "
                 "docs/student.md#hints-three\n\n"
                 "#include <x>\n// Guards: nothing.md\nTEST_CASE(\"a\") {}\nTEST_CASE(\"b\") {}\n");
  checkout.write("tests/tool/more.cpp",
                 "// More of it.\n// Guards: docs/student.md, docs/rungs.md\nTEST_CASE(\"c\") {}\n");
  checkout.write("tests/tool/fixture.cpp", "int helper;\n");
  checkout.write("tests/grading/class_test.sh",
                 "#!/bin/sh\n# shellcheck disable=SC1\n# A class is graded: eight people.\n# Guards: "
                 "docs/grading.md#attacks\n#   class_test.sh "
                 "[CHECKOUT]\n");
}

std::string generated_page(Checkout& checkout, const std::string& which, const Tables& with = tables) {
  checkout.write(tests_md, "# Tests\n\n<!-- generated: tests " + which + " -->\n");
  const Pages pages = generate_pages(checkout.root, with);
  for (const auto& problem : pages.problems) FAIL_CHECK(problem.sentence());
  return pages.files.at(tests_md);
}

json measured_tests() {
  return {{"schema", "gpu-ladder/3"},
          {"date", "2026-01-02T03:04:05Z"},
          {"machine", {{"cpu", "AMD EPYC"}, {"cores", 2}}},
          {"tests", {{"passed", 12}, {"failed", 0}, {"skipped", 1}}},
          {"times",
           {{"parts",
             {{{"part", "trees"}, {"seconds", 3.0}, {"processor", 2.25}, {"checks", 7}},
              {{"part", "units"}, {"seconds", 9.0}, {"processor", 8.0}, {"checks", 40}}}},
            {"jobs",
             {{{"name", "tests/test-tool"}, {"processor", 4.5}},
              {{"name", "tests/grading/class_test.sh"}, {"processor", 30.0}}}}}}};
}

}  // namespace

TEST_CASE(
    "tests page: a source says what it proves in its first sentence, and what it guards in a line of its "
    "first comment") {
  Checkout checkout;
  write_tests(checkout);
  CHECK(wrong_promises(checkout.root).empty());
  const auto programs = test_programs(checkout.root);
  REQUIRE(programs.size() == 1);
  CHECK(programs[0].name == "test-tool");
  REQUIRE(programs[0].sources.size() == 2);
  const TestPromise& hint = programs[0].sources[0];
  CHECK(hint.proves == "A hint never tells the answer.");
  CHECK(hint.guards == std::vector<std::string>{"docs/student.md#hints-three"});
  CHECK(hint.cases == 2);
  CHECK(programs[0].sources[1].guards == std::vector<std::string>{"docs/student.md", "docs/rungs.md"});
  const auto scripts = test_scripts(checkout.root);
  REQUIRE(scripts.size() == 1);
  CHECK(scripts[0].proves == "A class is graded: eight people.");
}

TEST_CASE("tests page: what a test, script or page lacks is named with what to do") {
  Checkout checkout;
  write_tests(checkout);
  const auto only = [&] {
    const auto wrong = wrong_promises(checkout.root);
    REQUIRE(wrong.size() == 1);
    return wrong[0];
  };
  SECTION("no line Guards") {
    checkout.write("tests/tool/hint_test.cpp",
                   "/// @file\n/// A hint.\n\n// Guards: docs/student.md\nTEST_CASE(\"a\") {}\n");
    CHECK(has(only(), "tests/tool/hint_test.cpp does not say which promise it guards"));
  }
  SECTION("no sentence") {
    checkout.write("tests/grading/class_test.sh", "#!/bin/sh\n# Guards: docs/grading.md#attacks\nset -u\n");
    CHECK(has(only(), "tests/grading/class_test.sh does not say what it proves"));
  }
  SECTION("no such heading: one in a block of code is none") {
    checkout.write("tests/tool/more.cpp",
                   "// More.\n// Guards: docs/student.md#no-heading\nTEST_CASE(\"c\") {}\n");
    CHECK(has(only(),
              "tests/tool/more.cpp guards docs/student.md#no-heading, but that page has no such heading"));
  }
  SECTION("no such page") {
    checkout.write("tests/tool/more.cpp", "// More.\n// Guards: docs/gone.md\nTEST_CASE(\"c\") {}\n");
    CHECK(has(only(), "there is no such page"));
  }
  SECTION("a source that no program has") {
    checkout.write("tests/common/lost_test.cpp",
                   "// Lost.\n// Guards: docs/student.md\nTEST_CASE(\"d\") {}\n");
    CHECK(has(only(), "tests/common/lost_test.cpp is in no program"));
  }
}

TEST_CASE(
    "tests page: parts, programs and scripts with their promise, linked by its heading, and their cost") {
  Checkout checkout;
  write_tests(checkout);
  CHECK(has(generated_page(checkout, "parts"), "*No costs are stored yet.*"));
  checkout.store("here/tests.json", measured_tests());
  const std::string parts = generated_page(checkout, "parts");
  CHECK(has(parts,
            "From [here/tests.json](results/here/tests.json): AMD EPYC, 2 cores, 2026-01-02. Checks of that "
            "run: 12 "
            "passed, 0 failed, 1 skipped."));
  CHECK(has(parts, "[where-things-are](design.md#where-things-are)"));
  CHECK(has(parts, " | 7 | 2.2 |"));
  CHECK(has(parts, " | 40 | 8.0 |"));
  CHECK(has(parts, "Not in a plain `test`."));
  const std::string programs = generated_page(checkout, "programs");
  CHECK(has(programs, "### test-tool\n\n3 test cases; CPU s: 4.5.\n"));
  CHECK(has(programs,
            "| [`hint_test.cpp`](../tests/tool/hint_test.cpp) | A hint never tells the answer. | [Hints: "
            "three](student.md#hints-three) | 2 |"));
  CHECK(has(generated_page(checkout, "scripts"), " | 30.0 |"));
}

TEST_CASE("tests page: times of jobs come before those of programs, and jobs of one program are added") {
  Checkout checkout;
  write_tests(checkout);
  json document = measured_tests();
  document["times"]["jobs"] = {
      {{"name", "tests/test-tool"}, {"part", "units"}, {"seconds", 8.0}, {"processor", 1.0}},
      {{"name", "test-tool"}, {"part", "units"}, {"seconds", 8.0}, {"processor", 0.5}}};
  checkout.store("here/tests.json", document);
  CHECK(has(generated_page(checkout, "programs"), "CPU s: 1.5."));
}

TEST_CASE("how long a first run compiles comes from what the compilers took") {
  Checkout checkout;
  write_tests(checkout);
  CHECK(has(generated_page(checkout, "run"), "not stored yet"));
  json document = measured_tests();
  document["times"]["compiler_seconds"] = {{"judges", 200.0}, {"solutions", 300.0}, {"mutants", 9500.0}};
  document["times"]["building"] = 8000.0;
  checkout.store("here/tests.json", document);
  CHECK(has(generated_page(checkout, "run"),
            "compiles for about 4 minutes on 2 cores ([measured on 2026-01-02](results/here/tests.json))."));
}

TEST_CASE("tests page: it is stale when a test is added, and times of a part that nobody lists are no page") {
  Checkout checkout;
  write_tests(checkout);
  checkout.write(tests_md, generated_page(checkout, "programs"));
  CHECK(check_pages(checkout.root, tables).empty());
  checkout.write("tests/tool/more.cpp",
                 "// More of it.\n// Guards: docs/student.md\nTEST_CASE(\"c\") {}\nTEST_CASE(\"d\") {}\n");
  const auto problems = check_pages(checkout.root, tables);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].file == tests_md);
  json document = measured_tests();
  document["times"]["parts"][0]["part"] = "a new part";
  checkout.store("here/tests.json", document);
  const auto unknown = check_pages(checkout.root, tables);
  REQUIRE(unknown.size() == 1);
  CHECK(has(unknown[0].text, "the part \"a new part\", which test_part.cpp does not list"));
}

TEST_CASE("tests page: mutants without words are counted and listed with their reason") {
  Checkout checkout;
  Tables with = tables;
  with["03-dgemm"]["mutants"] = {
      {{"rung", "g1"}, {"name", "transposed"}, {"verdict", "WRONG"}, {"words", 1}, {"why", ""}},
      {{"rung", "g1"},
       {"name", "races"},
       {"verdict", "CRASHED"},
       {"words", 0},
       {"why", "the scheduler decides"}}};
  const std::string text = generated_page(checkout, "mutants", with);
  CHECK(has(text,
            "Each of the 2 mutants and variants must get its verdict. Of 1 the message must have certain "
            "words, too."));
  CHECK(has(text, "| 03-dgemm | 2 | 1 |"));
  CHECK(has(text, "| 03/g1~races | CRASHED | the scheduler decides |"));
  CHECK_FALSE(has(text, "transposed"));
}

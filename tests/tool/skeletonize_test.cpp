/// @file
/// Skeletons and mutants, and what is said of marks and edits that do not fit.
// Guards: docs/adding-a-lesson.md#the-mutants, docs/adding-a-lesson.md#the-solution

#include "common/skeleton/skeletonize.hpp"
#include "tests/common/catch.hpp"

using namespace ladder::cut;

namespace {

const std::string solution =
    "void f() {\n"
    "  // BEGIN SOLUTION Add the numbers.\n"
    "  //  All of them, the last too.\n"
    "  // why it is done so\n"
    "  sum += x;\n"
    "  //| ladder::task();  // Delete this line when you start.\n"
    "  //|\n"
    "  // END SOLUTION\n"
    "}\n";

/// The text of the error that the function throws.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const ladder::cut::Error& error) {
    return error.what();
  }
  return "no error";
}

const std::string edit =
    "mutant no-sum\nverdict WRONG\nwords first element\nwords sum\nfind\n  sum += x;\nput\nend\n";

}  // namespace

TEST_CASE("a region becomes its task and the lines that are kept") {
  CHECK(skeleton(solution, "f.cpp") ==
        "void f() {\n"
        "  // TASK, 1 line: Add the numbers.\n"
        "  //  All of them, the last too.\n"
        "  ladder::task();  // Delete this line when you start.\n"
        "\n"
        "}\n");
  CHECK(has_regions(solution));
}

TEST_CASE("a file without regions is its own skeleton") {
  const std::string given = "int x;\n\n  // a comment\n";
  CHECK(skeleton(given, "f.cpp") == given);
  CHECK_FALSE(has_regions(given));
}

TEST_CASE("marks that do not fit are named by file and line") {
  CHECK(error_of([] { skeleton("a\n// BEGIN SOLUTION x\n", "f.cpp"); }) ==
        "f.cpp:2: BEGIN SOLUTION without END SOLUTION");
  CHECK(error_of([] { skeleton("// END SOLUTION\n", "f.cpp"); }) ==
        "f.cpp:1: END SOLUTION without BEGIN SOLUTION");
  CHECK(error_of([] { skeleton("\n//| x\n", "f.cpp"); }).find("f.cpp:2: a //| line outside") == 0);
  CHECK(error_of([] {
          skeleton("// BEGIN SOLUTION x\n// BEGIN SOLUTION y\n", "f.cpp");
        }).find("f.cpp:2: BEGIN SOLUTION inside") == 0);
  CHECK(error_of([] {
          skeleton("// BEGIN SOLUTION\n// END SOLUTION\n", "f.cpp");
        }).find("f.cpp:1: BEGIN SOLUTION without a task") == 0);
}

TEST_CASE("a mutant is read and applied") {
  const auto mutants = read_mutants("# from a mistake that people make\n" + edit, "f.mutants");
  REQUIRE(mutants.size() == 1);
  CHECK(mutants[0].name == "no-sum");
  CHECK(mutants[0].verdict == "WRONG");
  CHECK(mutants[0].words == std::vector<std::string>{"first element", "sum"});
  const std::string mutated = mutate(solution, mutants[0], "f.mutants");
  CHECK(mutated.find("sum += x") == std::string::npos);
  CHECK(mutated.size() + std::string("  sum += x;\n").size() == solution.size());
}

TEST_CASE("a mutant whose verdict is up to chance has another one") {
  const auto read = [](const std::string& verdict) {
    return read_mutants("mutant race\nverdict " + verdict + "\nfind\nx\nput\ny\nend\n", "f.mutants").at(0);
  };
  CHECK(read("WRONG").other_verdict.empty());
  CHECK(read("WRONG or CRASHED").verdict == "WRONG");
  CHECK(read("WRONG or CRASHED").other_verdict == "CRASHED");
  CHECK(read("BUILD ERROR or MISSED").verdict == "BUILD ERROR");
  for (const std::string wrong :
       {"WRONG or BAD", "WRONG or WRONG", "WRONG or PASS", "WRONG or MISSED or CRASHED"})
    CHECK(error_of([&] { read(wrong); }) == "f.mutants:2: no other verdict of a mutant: '" + wrong + "'");
}

TEST_CASE("an edit applies at one place or not at all") {
  const auto m = read_mutants(edit, "f.mutants").at(0);
  CHECK(error_of([&] {
          mutate("int x;\n", m, "f.mutants");
        }).find("f.mutants:5: mutant no-sum: the lines to find are not in") == 0);
  CHECK(error_of([&] {
          mutate(solution + solution, m, "f.mutants");
        }).find("at 2 places, the first two are lines 5 and 14") != std::string::npos);
}

TEST_CASE("a mutants file with mistakes is named by file and line") {
  CHECK(error_of([] { read_mutants("verdict WRONG\n", "f.mutants"); }) ==
        "f.mutants:1: 'verdict' before the first mutant");
  CHECK(error_of([] { read_mutants("mutant a\nverdict BAD\n", "f.mutants"); }) ==
        "f.mutants:2: no verdict of a mutant: 'BAD'");
  CHECK(error_of([] { read_mutants("mutant a\nverdict PASS\n", "f.mutants"); }) ==
        "f.mutants:2: no verdict of a mutant: 'PASS'");
  CHECK(read_mutants("mutant a\nverdict PASS\nfind\nx\nput\ny\nend\n", "f.variants").at(0).verdict == "PASS");
  CHECK(read_mutants("mutant no_tile\nverdict MISSED\nfind\na\nput\nend\n", "f.mutants")[0].name ==
        "no_tile");
  CHECK(error_of([] { read_mutants("mutant A_b\n", "f.mutants"); }).find("f.mutants:1: a mutant's name") ==
        0);
  CHECK(error_of([] { read_mutants("mutant a\nverdict WRONG\nfind\nx\n", "f.mutants"); }) ==
        "f.mutants:3: find without put and end");
  CHECK(error_of([] { read_mutants("mutant a\nverdict WRONG\n", "f.mutants"); }) ==
        "f.mutants:1: mutant a has no edit");
  CHECK(error_of([] {
          read_mutants(edit + edit, "f.mutants");
        }).find("f.mutants:9: mutant no-sum is twice, first in line 1") == 0);
}

TEST_CASE("what a skeleton does not use yet is marked where it is declared") {
  const std::string of_kernel =
      "int n;\n"
      "__global__ void f(int n, const double* x,  // the x of n\n"
      "                  std::pair<int, int> both) {\n"
      "  const int t = 3 * n, u = 1;\n"
      "  for (int i = 0; i < n; ++i) {\n"
      "    // BEGIN SOLUTION Do it.\n"
      "    //| [[maybe_unused]] n, x, both, t, i;\n"
      "    //| [[maybe_unused]] const int kept = 1;\n"
      "    work();\n"
      "    // END SOLUTION\n"
      "  }\n"
      "}\n";
  CHECK(skeleton(of_kernel, "s.cu") ==
        "int n;\n"
        "__global__ void f([[maybe_unused]] int n, [[maybe_unused]] const double* x,  // the x of n\n"
        "                  [[maybe_unused]] std::pair<int, int> both) {\n"
        "  [[maybe_unused]] const int t = 3 * n, u = 1;\n"
        "  for ([[maybe_unused]] int i = 0; i < n; ++i) {\n"
        "    // TASK, 1 line: Do it.\n"
        "    [[maybe_unused]] const int kept = 1;\n"
        "  }\n"
        "}\n");
  CHECK_THROWS_WITH(
      skeleton("void f() {\n  // BEGIN SOLUTION a\n  //| [[maybe_unused]] q;\n  // END SOLUTION\n}\n",
               "s.cu"),
      "s.cu:3: no declaration of 'q' is above");
}

TEST_CASE("declarations that the mark of what is not used makes too long are wrapped") {
  const std::string of_kernel =
      "void several_parameters(const std::vector<double>& values, int first, const double* x,  // n\n"
      "                        int behind) {\n"
      "  const double ratio_of_the_two = quotient_of(first, values.size());   // of these, «rounded down» to "
      "1\n"
      "  const double* const begin_of_values = values.data() + first, *const end_of_values = values.data();\n"
      "  // BEGIN SOLUTION Do it.\n"
      "  //| [[maybe_unused]] values, x, ratio_of_the_two, begin_of_values;\n"
      "  work();\n"
      "  // END SOLUTION\n"
      "}\n";
  CHECK(skeleton(of_kernel, "s.cu") ==
        "void several_parameters([[maybe_unused]] const std::vector<double>& values, int first,\n"
        "                        [[maybe_unused]] const double* x,  // n\n"
        "                        int behind) {\n"
        "  // of these, «rounded down» to 1\n"
        "  [[maybe_unused]] const double ratio_of_the_two = quotient_of(first, values.size());\n"
        "  [[maybe_unused]] const double* const begin_of_values = values.data() + first,\n"
        "      *const end_of_values = values.data();\n"
        "  // TASK, 1 line: Do it.\n"
        "}\n");
}

/// @file
/// A source that is not laid out as .clang-format says, or has a line of more than 110 columns, is named with
/// its lines; who has no clang-format 14 is told.
// Guards: docs/contributing.md#style

#include <filesystem>

#include "common/base/files/files.hpp"
#include "common/skeleton/wrap.hpp"
#include "common/tool/maintain/checks/format.hpp"
#include "tests/common/catch.hpp"

namespace ladder::format_test {
namespace fs = std::filesystem;
namespace {

/// A small checkout.
struct Tree {
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root / file).parent_path());
    write_text(root / file, text);
  }
  std::string program(const std::string& file, const std::string& says) const {
    write(file, "#!/bin/sh\necho '" + says + "'\n");
    fs::permissions(root / file, fs::perms::owner_all);
    return root / file;
  }
  std::string laid_out(const std::string& file, const Formatter& formatter) const {
    lay_out(root, {file}, formatter);
    return read_text(root / file);
  }
  ScratchFolder scratch;
  fs::path root = scratch.path() / "tree";
};

}  // namespace

TEST_CASE("format: a file that is laid out otherwise fails with its lines and the command; others pass") {
  const Formatter formatter = find_formatter({"clang-format-14", "clang-format"});
  if (!formatter.missing.empty()) LADDER_SKIP(formatter.missing);
  const Tree tree;
  tree.write(".clang-format", "BasedOnStyle: Google\nColumnLimit: 40\n");
  tree.write("common/good.cpp", "int one = 1;\n\nint two = 2;\n");
  tree.write("common/bad.cpp", "int one = 1;\n\nint  two=2;\nint three = 3;\nint four=4;\n");
  tree.write("tests/03-dgemm/long.cu", "int f(int a_long_name, int another_name, int last);\n");
  const auto files = sources_to_format(tree.root, {});
  CHECK(files.size() == 3);
  TestSummary tally;
  check_format(tree.root, files, formatter, tally);
  CHECK(tally.passed() == 1);
  REQUIRE(tally.failures().size() == 2);
  CHECK(tally.failures()[0].name == "format: common/bad.cpp:3");
  CHECK(tally.failures()[0].text ==
        "not laid out as .clang-format says, in lines 3, 5\nclang-format-14 -i common/bad.cpp");
  CHECK(tally.failures()[1].name == "format: tests/03-dgemm/long.cu:1");
}

TEST_CASE("format: what cannot be checked fails, and is no pass") {
  const Tree tree;
  tree.write("common/good.cpp", "int one = 1;\n");
  TestSummary tally;
  check_format(tree.root, {"common/good.cpp"}, {(tree.root / "gone").string(), ""}, tally);
  CHECK(tally.passed() == 0);
  CHECK(tally.failures().size() == 1);
}

TEST_CASE("format: another version than 14 does not count, and is named") {
  const Tree tree;
  const std::string other = tree.program("18", "Ubuntu clang-format version 18.1.3 (1ubuntu1)"),
                    mute = tree.program("mute", "no word"),
                    right = tree.program("14", "Debian clang-format version 14.0.6");
  const std::string gone = (tree.root / "gone").string();
  CHECK(find_formatter({gone}).missing == "clang-format 14 is not here (package clang-format-14)");
  CHECK(test::contains(find_formatter({gone, other}).missing,
                       "18 is of version 18, which lays out some lines"));
  CHECK(test::contains(find_formatter({mute}).missing, "mute does not say its version"));
  CHECK(find_formatter({other, right}).program == right);
  CHECK(find_formatter({other, right}).missing.empty());
}

TEST_CASE("format: sources are ours; submissions, attempts and skeletons of solutions keep their layout") {
  const Tree tree;
  for (const char* file :
       {"common/a.hpp", "tests/a.c", "solutions/03-dgemm/g1_naive.cu", "lessons/03-dgemm/g1_naive.cu",
        "lessons/03-dgemm/g9_demonstration.cu", "lessons/03-dgemm/dgemm.hpp", "tests/03-dgemm/verify.cpp",
        "tests/03-dgemm/attempts/g1_naive.own.cu", "tests/grading/attacks/03-dgemm/g1_naive.cu", "docs/a.cpp",
        "common/a.sh"})
    tree.write(file, "int one = 1;\n");
  using Names = std::vector<std::string>;
  auto files = sources_to_format(tree.root, {});
  std::sort(files.begin(), files.end());
  CHECK(files == Names{"common/a.hpp", "lessons/03-dgemm/dgemm.hpp", "lessons/03-dgemm/g9_demonstration.cu",
                       "solutions/03-dgemm/g1_naive.cu", "tests/03-dgemm/verify.cpp", "tests/a.c"});
  CHECK(sources_to_format(tree.root, {"tests/03-dgemm/"}) == Names{"tests/03-dgemm/verify.cpp"});
  CHECK(layout_stays(tree.root, "lessons/03-dgemm/g1_naive.cu") == "it is cut from its solution");
  CHECK_FALSE(layout_stays(tree.root, "tests/grading/honest/03-dgemm/g1_naive.own.cu").empty());
}

TEST_CASE("format: marks of regions are not wrapped, ordinary comments are") {
  const Formatter formatter = find_formatter({"clang-format-14", "clang-format"});
  if (!formatter.missing.empty()) LADDER_SKIP(formatter.missing);
  const Tree tree;
  tree.write(".clang-format", read_text(fs::path(LADDER_PROJECT) / ".clang-format"));
  const std::string words = std::string(5, ' ') + std::string(100, 'x') + " and more words";
  for (const char* mark : {"// BEGIN SOLUTION", "// END SOLUTION", "//|", "// TASK,", "// Guards:"}) {
    tree.write("common/mark.cpp", mark + words + "\nint one = 1;\n");
    CHECK(read_text(tree.root / "common/mark.cpp") == tree.laid_out("common/mark.cpp", formatter));
  }
  tree.write("common/task.cpp", "// BEGIN SOLUTION Do\n// " + words + "\nint one = 1;\n");
  CHECK(read_text(tree.root / "common/task.cpp") == tree.laid_out("common/task.cpp", formatter));
  tree.write("common/text.cpp", "/// " + std::string(100, 'x') + " and more words\nint one = 1;\n");
  CHECK(test::contains(tree.laid_out("common/text.cpp", formatter), "x and\n/// more words\nint"));
}

TEST_CASE("format: lines of more than 110 columns are found, where they could be shorter") {
  const std::string word(109, 'x'), start = "int one;\n", off = "// clang-format off\n";
  const auto numbers = [](const std::string& source, bool kernels = false) {
    std::vector<int> found;
    for (const LongLine& line : long_lines(source, kernels)) found.push_back(line.number);
    return found;
  };
  using Numbers = std::vector<int>;
  REQUIRE(numbers(start + "// " + word + " y\n") == Numbers{2});
  CHECK(long_lines("// " + word + " y\n", false).front().columns == 114);
  std::string wide;
  for (int i = 0; i < 53; ++i) wide += "µ ";
  CHECK(numbers("// " + wide + "\n").empty());  // 109 code points, 162 bytes
  CHECK(numbers("  /// https://" + word + "\n").empty());
  CHECK(numbers(off + "int a; // " + word + "\n  // clang-format on\nint b; // " + word + "\n") ==
        Numbers{4});
  const std::string raw = "f(R\"(one\n two " + word + "\n)\");\nint b; // " + word + "\n";
  CHECK(numbers(raw) == Numbers{4});
  CHECK(numbers(raw, true) == Numbers{2, 4});
}

TEST_CASE("format: long lines fail with their places; a skeleton's are wrapped in its solution") {
  const Tree tree;
  const std::string text = "// " + std::string(109, 'x') + " y\n", kernel = "f(R\"(\n" + text + ")\");\n";
  for (const char* file :
       {"common/a.hpp", "solutions/03-dgemm/g1_naive.cu", "lessons/03-dgemm/g1_naive.cu",
        "tests/03-dgemm/attempts/g1_naive.own.cu", "tests/grading/attacks/03-dgemm/g1_naive.cu"})
    tree.write(file, text);
  tree.write("common/page.cpp", kernel);
  tree.write("lessons/03-dgemm/kernels.hpp", kernel);
  auto files = sources_to_count(tree.root, {});
  std::sort(files.begin(), files.end());
  CHECK(files == std::vector<std::string>{"common/a.hpp", "common/page.cpp", "lessons/03-dgemm/g1_naive.cu",
                                          "lessons/03-dgemm/kernels.hpp", "solutions/03-dgemm/g1_naive.cu"});
  TestSummary tally;
  check_columns(tree.root, files, tally);
  CHECK(tally.passed() == 1);
  REQUIRE(tally.failures().size() == 4);
  CHECK(tally.failures()[0].name == "format: common/a.hpp:1");
  CHECK(tally.failures()[0].text == "common/a.hpp:1: 114 columns, at most 110");
  CHECK(tally.failures()[1].text ==
        "to be wrapped in its solution\nlessons/03-dgemm/g1_naive.cu:1: 114 columns, at most 110");
  CHECK(tally.failures()[2].name == "format: lessons/03-dgemm/kernels.hpp:2");
}

TEST_CASE("format: .clang-format has the same limit") {
  const std::string limit = "ColumnLimit: " + std::to_string(cut::max_columns) + "\n";
  CHECK(test::contains(read_text(fs::path(LADDER_PROJECT) / ".clang-format"), limit));
}

}  // namespace ladder::format_test

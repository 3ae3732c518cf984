/// @file
/// A source that is not laid out as .clang-format says is named with its lines; who has no clang-format 14 is
/// told.
// Guards: docs/contributing.md#style

#include <filesystem>

#include "common/base/files/files.hpp"
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

}  // namespace ladder::format_test

/// @file
/// Private tests: the commands that build their judge, and the folders that are refused.
// Guards: docs/grading.md#private-tests

#include "common/tool/judging/private_tests.hpp"
#include "common/base/catch.hpp"
#include "common/base/error.hpp"
#include "common/base/usage_error.hpp"

namespace fs = std::filesystem;
using namespace ladder;

namespace {

const std::string printed_commands =
    "ccache /usr/bin/c++ -I/r/tests/03-dgemm -O1 -include pch.hxx -MD -MT CMakeFiles/words-03-dgemm.dir/u.o "
    "-o u.o -c u.cxx\n"
    "ccache /usr/bin/c++ -I/r/tests/03-dgemm -O3 -std=c++20 -MD -MT CMakeFiles/judge-03-dgemm.dir/p.cpp.o "
    "-MF p.d -o p.cpp.o -c p.cpp\n"
    ": && /usr/bin/c++ -O3 CMakeFiles/judge-03-dgemm.dir/p.cpp.o -o judges/03-dgemm  libladder-judge.a -ldl "
    "&& :\n";

std::string refusal(const fs::path& folder, const fs::path& root) {
  try {
    PrivateTests(folder, {"03-dgemm"}).refuse_in(root);
  } catch (const UsageError& error) {
    return error.text;
  }
  return "";
}

}  // namespace

TEST_CASE("A private judge is the lesson's own with objects added, compiled as its tests are", "[grade]") {
  const PrivateCommands commands = private_commands(printed_commands, "03-dgemm", "'/secret/03-dgemm'");
  CHECK(commands.compile == "ccache /usr/bin/c++ -I/r/tests/03-dgemm -O3 -std=c++20");
  CHECK(commands.link ==
        ": && /usr/bin/c++ -O3 CMakeFiles/judge-03-dgemm.dir/p.cpp.o -o '/secret/03-dgemm'  "
        "libladder-judge.a -ldl");
  CHECK_THROWS_AS(private_commands("", "03-dgemm", "x"), Error);
}

TEST_CASE("Private tests lie outside of the checkout, and are of the lesson", "[grade]") {
  const ScratchFolder scratch;
  const fs::path root = scratch.path() / "checkout", outside = scratch.path() / "exam";
  for (const fs::path& folder : {root / "tests", outside / "04-cholesky"}) fs::create_directories(folder);
  CHECK(refusal(root / "tests", root).find("no tests of 03-dgemm in it") != std::string::npos);
  fs::create_directories(root / "exam" / "03-dgemm");
  write_text(root / "exam" / "03-dgemm" / "private_test.cpp", "1");
  CHECK(refusal(root / "exam", root).find("outside of the checkout") != std::string::npos);
  CHECK(refusal(scratch.path() / "nowhere", root).find("no such folder") != std::string::npos);
  CHECK(refusal(outside, root).find("no tests of 03-dgemm in it") != std::string::npos);
  fs::create_directories(outside / "03-dgemm");
  write_text(outside / "03-dgemm" / "private_test.cpp", "1");
  CHECK(refusal(outside, root).empty());
  const PrivateTests tests(outside, {"03-dgemm"});
  const std::string before = tests.hash("03-dgemm");
  write_text(outside / "03-dgemm" / "private_test.cpp", "2");
  CHECK(before != tests.hash("03-dgemm"));
  CHECK(private_key_name(outside) == "private:exam");
}

/// @file
/// What approved outputs leave out: each thing that differs between runs and machines, and nothing else.
// Guards: docs/contributing.md#tests

#include "tests/common/approved.hpp"
#include "common/base/files/files.hpp"
#include "tests/common/catch.hpp"

using ladder::test::approve;
using ladder::test::normalised;

TEST_CASE("approved outputs: what differs between runs has one name, whatever its value") {
  const auto of_run = [](const std::string& scratch, const std::string& day, const std::string& seed) {
    return "written: /var/" + scratch + "/lessons/a.cpp and /tmp/ladder-" + seed + "-aBc123/b\n" +
           "build: " + ladder::build_folder().string() + "/bin\nkept in .ladder/old/2026-11-" + day +
           "-142005/a.cpp\n" + "hw2 is due Wed 2027-02-" + day + " 23:59 UTC, in 4" + day +
           " days; at it 0 minutes ago\nIts times took 1" + day + " s.  Seed " + seed + ".\n" +
           "again: ./ladder check 07/g1 --seed " + seed + "\n";
  };
  const std::string one = of_run("toy checkout a1B2c3", "14", "7");
  approve("normalised", one);
  CHECK(normalised(one) == normalised(of_run("folders/x/toy checkout ZZZZZZ", "28", "593517")));
}

TEST_CASE("approved outputs: numbers that a test sets stay") {
  const std::string text = "n = 64: 4 of 9 wrong   3/12 points\n10 ms ±10 %, 15 rounds\nin 3 days\n";
  CHECK(normalised(text) == text);
}

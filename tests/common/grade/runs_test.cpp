/// @file
/// What several runs of one step say together.

#include "common/grade/runs.hpp"

#include "tests/common/catch.hpp"

using ladder::grade::verdict_of;

TEST_CASE("a verdict that is not against a step counts at once") {
  for (const char* verdict : {"PASS", "MISSED", "INCONCLUSIVE", "REVIEW", "SKIPPED", "NOT STARTED"})
    CHECK(verdict_of({verdict}) == verdict);
}

TEST_CASE("WRONG, CRASHED and TIMEOUT count when they come again") {
  for (const char* verdict : {"WRONG", "CRASHED", "TIMEOUT"}) {
    CHECK(verdict_of({verdict}) == "");
    CHECK(verdict_of({verdict, verdict}) == verdict);
  }
}

TEST_CASE("a step whose races end in one way or another has failed as it did twice") {
  CHECK(verdict_of({"CRASHED", "WRONG"}) == "");
  CHECK(verdict_of({"CRASHED", "WRONG", "CRASHED"}) == "CRASHED");
  CHECK(verdict_of({"CRASHED", "WRONG", "WRONG"}) == "WRONG");
}

TEST_CASE("a step that does not fail again, or fails in three ways, is for a person to look at") {
  CHECK(verdict_of({"WRONG", "PASS"}) == "REVIEW");
  CHECK(verdict_of({"WRONG", "CRASHED", "MISSED"}) == "REVIEW");
  CHECK(verdict_of({"TIMEOUT", "CRASHED", "WRONG"}) == "REVIEW");
}

#pragma once
/// @file
/// The kinds of test that every lesson has. A lesson's test file fills a Suite and ends with
/// LADDER_JUDGE(suite).

#include "common/base/catch.hpp"
#include "common/base/test_kind.hpp"
#include "common/judge/suite.hpp"

namespace ladder {

/// Right on every case? Stops at the first wrong one of each class; says which sizes were right before.
void judge_correctness(const Judged& suite);
/// Did the idea change its numbers? Measured in separate runs; a run with a wrong result does not count.
void judge_targets(const Judged& suite);
/// Races, accesses out of bounds, reads of uninitialised memory: does a watched run find any? An error is
/// WRONG even when the result is right: on another machine, or on another day, it may not be.
void judge_findings(const Judged& suite);
/// How long does it take, compared with its track's other rungs and the libraries, all in one session?
void judge_time(const Judged& suite);
/// What one call of a step did: observation, trace and necessary amount, for the verb profile. Judges only
/// that the result is right.
void record_profile(const Judged& suite);
/// The same call on a GPU under ncu: what the hardware counts. Judges only that the result is right.
void record_hardware(const Judged& suite);
/// What the plan's file holds, or what is wrong with it, for a plan that names no kind of test: the tool asks
/// before anything is judged.
void record_file(const Judged& suite);
/// What the observed mode costs: plain and observed worker on the same problems, in turns. Judges only that
/// the results are right.
void record_costs(const Judged& suite);

}  // namespace ladder

/// The test cases of a suite.
#define LADDER_TEST_CASES(prefix, judged_suite)                                       \
  namespace {                                                                         \
  const ladder::Judged without_types = judged_suite;                                  \
  }                                                                                   \
  TEST_CASE(prefix + std::string(ladder::to_string(ladder::TestKind::correctness))) { \
    ladder::judge_correctness(without_types);                                         \
  }                                                                                   \
  TEST_CASE(prefix + std::string(ladder::to_string(ladder::TestKind::targets))) {     \
    ladder::judge_targets(without_types);                                             \
  }                                                                                   \
  TEST_CASE(prefix + std::string(ladder::to_string(ladder::TestKind::findings))) {    \
    ladder::judge_findings(without_types);                                            \
  }                                                                                   \
  TEST_CASE(prefix + std::string(ladder::to_string(ladder::TestKind::time))) {        \
    ladder::judge_time(without_types);                                                \
  }                                                                                   \
  TEST_CASE(prefix + std::string(ladder::to_string(ladder::TestKind::profile))) {     \
    ladder::record_profile(without_types);                                            \
  }                                                                                   \
  TEST_CASE(prefix + std::string(ladder::to_string(ladder::TestKind::hardware))) {    \
    ladder::record_hardware(without_types);                                           \
  }                                                                                   \
  TEST_CASE(prefix + std::string(ladder::to_string(ladder::TestKind::costs))) {       \
    ladder::record_costs(without_types);                                              \
  }                                                                                   \
  TEST_CASE(prefix + "file") {                                                        \
    ladder::record_file(without_types);                                               \
  }

/// A lesson's test cases; a plan says which of them run. In a file of private tests, which takes the lesson's
/// suite for its own (common/judge/private_tests.hpp), they are none.
#ifdef LADDER_PRIVATE
#define LADDER_JUDGE(suite)
#else
#define LADDER_JUDGE(suite) LADDER_TEST_CASES(std::string(), ladder::judged(suite))
#endif

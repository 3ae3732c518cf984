#pragma once
/// @file
/// The kinds of test that every lesson has. A lesson's test file fills a Suite and ends with LADDER_JUDGE(suite).
///
/// - correctness, targets, time: see DESIGN in docs/design.md.
/// - findings: races, accesses out of bounds, … in runs that are watched (findings.hpp).
/// - profile, hardware: judge nothing; hand what one call does to the tool (profile_record.hpp, hardware_rules.hpp).
/// - costs: judges nothing; says what the observed mode costs against the plain executor (cost_record.hpp).

#include "common/judge/judge_correctness.hpp"
#include "common/judge/judge_findings.hpp"
#include "common/judge/judge_targets.hpp"
#include "common/judge/judge_time.hpp"
#include "common/judge/record_costs.hpp"
#include "common/judge/record_profile.hpp"

/// A lesson's test cases; a plan says which of them run.
#define LADDER_JUDGE(suite)           \
  TEST_CASE("correctness") {          \
    ladder::judge_correctness(suite); \
  }                                   \
  TEST_CASE("targets") {              \
    ladder::judge_targets(suite);     \
  }                                   \
  TEST_CASE("findings") {             \
    ladder::judge_findings(suite);    \
  }                                   \
  TEST_CASE("time") {                 \
    ladder::judge_time(suite);        \
  }                                   \
  TEST_CASE("profile") {              \
    ladder::record_profile(suite);    \
  }                                   \
  TEST_CASE("hardware") {             \
    ladder::record_hardware(suite);   \
  }                                   \
  TEST_CASE("costs") {                \
    ladder::record_costs(suite);      \
  }

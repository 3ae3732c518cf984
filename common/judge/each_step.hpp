#pragma once
/// @file
/// What the kinds of test share: going over the planned steps, and calling a step once.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/judge/earlier_verdicts.hpp"
#include "common/judge/inputs.hpp"
#include "common/judge/session/session.hpp"
#include "common/judge/suite.hpp"
#include "common/judge/test_report.hpp"

namespace ladder::detail {

/// Runs @p judge for each planned step as a section of Catch2, writes the record, and asserts on the verdict.
void for_each_step(
    const Lesson& lesson, TestKind kind,
    const std::function<void(const PlannedStep& step, const Step& row, TestReport& report)>& judge);

/// Whether this is one of the mutants that test the tests: no student works on it.
bool is_mutant(const PlannedStep& step);

/// A message with its details, as the words of a mutant are looked for in them.
std::string text_of(const std::string& message,
                    const std::vector<std::pair<std::string, std::string>>& details);
/// Whether a text says all that the test of a mutant asks for. Then it needs no further case, and no
/// simulator, which takes most of its time, to look for the cause.
bool suffices(const PlannedStep& step, const std::string& text);

/// The command that repeats what was just judged.
std::string again(const PlannedStep& step);

/// The numbers of a call: different for each, repeatable.
/// @param place, salt  tell them apart in a plan without a key
Random random_of(const Purpose& purpose, std::uint64_t place, std::uint64_t salt = 0);
/// Those of a case, by which its result is verified: the same in each kind of test that repeats it.
Random random_of_case(const std::string& step, std::size_t index);

/// The problem of a plan: its file's where it names one, else the lesson's of that size. @throws Error when
/// the file cannot be read
Case problem_of(const Judged& suite, const Step& row, int size, bool restricted);
/// All problems for correctness: those of the lesson's tests, unless the plan states one.
std::vector<Case> problems_of(const Judged& suite, const Step& row);

/// The size that the plan wants; without one the size of the step's target, else that of its time;
/// 0: a file says it.
int stated_size(const Step& row);

/// Processes for a case. On GPUs not more than the row has: only these are known to have a GPU each.
int ranks_of(const PlannedStep& step, const Case& one);

/// Runs a case in a watched session. @throws Failure
Outcome run_case(Session& session, const PlannedStep& step, const Case& one, std::size_t index);

/// Whether an earlier kind of test has failed: then this one is not run, and gets the same verdict.
bool repeats_failure(const PlannedStep& step, TestReport& report);

}  // namespace ladder::detail

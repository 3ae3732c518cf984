#pragma once
/// @file
/// A step is run until its verdict is sure: how often, and what several runs say together.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/model/grade.hpp"

namespace ladder::grade {

/// How often a step is run at most before its verdict is given.
inline constexpr std::size_t max_runs = 3;

/// Whether a verdict is against a step, and has to repeat: WRONG, CRASHED or TIMEOUT.
bool fails(Verdict verdict);

/// The verdict of a step after its runs, in their order: nothing while another one has to decide.
/// WRONG, CRASHED and TIMEOUT count when one of them has come twice, since once may have been the machine. A
/// step that did not fail again, and one that failed in three ways, are for a person to look at: "REVIEW".
std::optional<Verdict> verdict_of(const std::vector<Verdict>& runs);

/// Runs a step until its verdict is sure. What a clock could not decide (INCONCLUSIVE) is measured again, and
/// a repeat never lowers its points; what failed counts as verdict_of says.
/// @param run  judges the step once; its argument: whether the run
/// before did not end
/// @param right_again  of a step whose result may depend on the order of its threads: judges its correctness
/// alone, on the
///                     same inputs. One that is right must be right in max_runs runs
/// @return the result that counts, with its runs, and right_runs where right_again has repeated
///         it. NOT RUN ends it: the judge failed, not the step
model::GradedResult judge_with_retries(const std::function<model::GradedResult(bool hung)>& run,
                                       const std::function<model::GradedResult()>& right_again = {});

/// A step that is right on one device and fails on another is for a person to look at.
/// @param first, second  results of one step
/// @return both, in words; "" where there is no such difference, or no other device
std::string where_devices_differ(const model::Judgement& first, const model::Judgement& second);

}  // namespace ladder::grade

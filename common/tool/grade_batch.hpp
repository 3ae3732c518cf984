#pragma once
/// @file
/// What the phases of a grade have in common: the steps of a batch, its sandbox, its key, its private tests.

#include "common/tool/grading.hpp"

namespace ladder {

/// Names of rungs as --rungs has them: "03/g1-g3" is three. @throws UsageError for names that are not there
std::vector<std::string> without_ranges(Catalogue& catalogue, const std::vector<std::string>& names);

/// The steps that are graded, with all that their builds and their judging share.
void prepare_steps(Batch& batch, const std::vector<std::string>& rungs);

/// @throws UsageError where submissions cannot be confined, and are not trusted
Sandbox choose_sandbox(Context& context, const GradeOptions& options, unsigned uid);

/// The key of --key, else that of the folder.
grade::Key class_key(const GradeOptions& options);

/// The part that private tests judge.
Part private_part(const GradeOptions& options);

/// Builds the judges with private tests (--private) into the batch's work folder; nothing without that option.
/// @throws UsageError for a folder that has none, and where submissions are not confined: they could read the tests
void prepare_private(Batch& batch);

/// The points that the final phase will add to each step, from the record of the reference.
/// @throws UsageError when the reference does not pass the private tests
void find_open_points(Batch& batch, const nlohmann::json& reference);

/// The phase of time and private tests, for records that are there. @return the exit status
int grade_final(Context& context);

}  // namespace ladder

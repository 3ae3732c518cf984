#pragma once
/// @file
/// Exports for platforms: where names join points.

#include <nlohmann/json.hpp>
#include <vector>

#include "common/course/platforms/gradebook.hpp"
#include "common/course/platforms/submission_import.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/grade_store.hpp"

namespace ladder {

/// The verb grade export … --as PLATFORM: the last submission of each person, as it was judged. @return the
/// exit status
int export_for_platform(Context& context, const GradeStore& store,
                        const std::vector<model::GradeRecord>& records);

/// Writes what a platform reads, from points that were decided before.
/// @throws UsageError where an option or a column is missing
void write_for_platform(Context& context, const GradeStore& store, const course::Roster& roster,
                        const std::vector<course::Mark>& marks, double most);

/// Says whose people nobody knows, of one platform or of all.
void say_unmatched(Terminal& terminal, const course::SubmissionImport& handed,
                   const std::string& platform = {});

}  // namespace ladder

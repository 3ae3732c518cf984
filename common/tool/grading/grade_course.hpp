#pragma once
/// @file
/// Grading by a course file.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/course/course_file.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/grade_store.hpp"

namespace ladder {

/// The assignment that --assignment names, or the only one. @throws UsageError
const course::Assignment& chosen_assignment(const course::Course& course, const std::string& typed);

/// The options of a batch with what its course file says: rungs, key, private tests and when they open,
/// allowed symbols. Without --course as they are. @throws UsageError where both say something
GradeOptions with_course(const GradeOptions& options);

/// Keeps next to the grades what they were graded by: open and regrade take it from there.
void keep_assignment(const GradeOptions& options, const std::filesystem::path& out);

/// The assignment of a course file by which these were graded; `typed` where that is not known.
/// @throws UsageError where it is another one
const course::Assignment& assignment_of(const GradeStore& store, const course::Course& course,
                                        const std::string& typed);

/// `grade export --course`: deadlines, slip days and which attempt counts are computed now, and who gets
/// other points than in the last export is said. @return the exit status
int export_by_course(Context& context, const GradeStore& store,
                     const std::vector<model::GradeRecord>& records);

}  // namespace ladder

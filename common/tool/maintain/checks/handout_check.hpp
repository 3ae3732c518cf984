#pragma once
/// @file
/// What a student's own task would find as the reference in the skeleton of a later rung.

#include <set>
#include <string>
#include <vector>

#include "common/tool/core/context.hpp"
#include "common/tool/maintain/testing/test_summary.hpp"

namespace ladder {

/// Names every region whose reference is in a later skeleton of its lesson, and expects that the
/// skeletons of a course do not have it. Looks for it in another way than the cut does: in the code as one
/// string without comments and blanks. And expects that no file of a handout of the whole lesson shows a line
/// of what its students write.
/// @param chosen  the steps whose skeletons are looked at
/// @return the table: region, lines, is in
std::string check_copies(Context& context, const std::vector<LessonEntry*>& lessons,
                         const std::set<const StepEntry*>& chosen, TestSummary& summary);

}  // namespace ladder

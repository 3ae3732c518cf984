#pragma once
/// @file
/// What a person reads of a grade that is published: the points of the course file after lateness, and how
/// they came about.

#include "common/course/marks.hpp"
#include "common/model/gradescope.hpp"

namespace ladder::course {

/// The record that counts as its author may read it, in the points of the course file, with "published":
/// points, lateness, which attempt, times on clocks of the course. "total" is that, too; a step whose row has
/// other points has them in "own".
/// @param record  of one.mark.pseudonym, with what people have decided
model::StudentView published_view(const Course& course, const Assignment& assignment, const Ruled& one,
                                  const model::GradeRecord& record);

/// The same as Gradescope's results.json: its score is what is published, whatever its tests add up to.
model::GradescopeResults published_results(const Course& course, const Assignment& assignment,
                                           const Ruled& one, const model::GradeRecord& record);

}  // namespace ladder::course

#pragma once
/// @file
/// Pages made from grade records (docs/grades.schema.json): one for staff, one for each submission with
/// nothing of others.

#include <string>
#include <vector>

#include "common/model/grade_view.hpp"

namespace ladder::report {

/// All records on one page: points, verdicts, a histogram for each step, and which case fails for how many,
/// with which message.
/// @param records  of schema gpu-ladder-grade/1, decisions applied
std::string overview_page(const std::vector<model::GradeRecord>& records);

/// One record as its authors see it: what check says, and where a person has to look, that and nothing more.
std::string student_page(const model::StudentView& record);

}  // namespace ladder::report

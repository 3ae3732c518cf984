#pragma once
/// @file
/// The verb of grade_export.cpp.

namespace ladder {

struct Context;

/// The verb export: grades in the form of a platform. @return the exit status
int export_grades(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of grade_export.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb export: grades in the form of a platform. @return the exit status
int export_grades(Context& context);

/// The options of `grade export`.
void add_grade_export_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

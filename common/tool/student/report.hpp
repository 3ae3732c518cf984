#pragma once
/// @file
/// The verb of report.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb report: a page of what was reached. @return the exit status
int make_report(Context& context);

/// The options of `report`.
void add_report_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

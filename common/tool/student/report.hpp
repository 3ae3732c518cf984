#pragma once
/// @file
/// The verb of report.cpp.

namespace ladder {

struct Context;

/// The verb report: a page of what was reached. @return the exit status
int make_report(Context& context);

}  // namespace ladder

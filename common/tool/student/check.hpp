#pragma once
/// @file
/// The verb of check.cpp.

namespace ladder {

struct Context;

/// The verb check: judges steps, or programs that are no steps. @return the exit status
int check(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of hint.cpp.

namespace ladder {

struct Context;

/// The verb hint: the next hint of a step. @return the exit status
int hint(Context& context);

}  // namespace ladder

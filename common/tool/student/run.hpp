#pragma once
/// @file
/// The verb of run.cpp.

namespace ladder {

struct Context;

/// The verb run: climbs ladders: checked, timed, graded, drawn. @return the exit status
int run(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of reproduce.cpp.

namespace ladder {

struct Context;

/// The verb reproduce: what a published work found, measured here. @return the exit status
int reproduce(Context& context);

}  // namespace ladder

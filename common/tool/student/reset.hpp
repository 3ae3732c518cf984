#pragma once
/// @file
/// The verb of reset.cpp.

namespace ladder {

struct Context;

/// The verb reset: a step as it was given; what was there is kept. @return the exit status
int reset(Context& context);

}  // namespace ladder

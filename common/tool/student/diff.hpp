#pragma once
/// @file
/// The verb of diff.cpp.

namespace ladder {

struct Context;

/// The verb diff: a step next to the one below or its reference. @return the exit status
int difference_to_reference(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of watch.cpp.

namespace ladder {

struct Context;

/// The verb watch: judges a step each time that it is saved. @return the exit status
int watch(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of bench.cpp.

namespace ladder {

struct Context;

/// The verb bench: the times of one step next to its peers. @return the exit status
int bench(Context& context);

}  // namespace ladder

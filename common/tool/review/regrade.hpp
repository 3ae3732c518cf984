#pragma once
/// @file
/// The verb of regrade.cpp.

namespace ladder {

struct Context;

/// `review regrade`: judges again after a change of ours. @return the exit status
int regrade(Context& context);

}  // namespace ladder

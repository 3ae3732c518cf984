#pragma once
/// @file
/// The verb of similarity.cpp.

namespace ladder {

struct Context;

/// The verb similarity: submissions that are too much alike. @return the exit status
int similarity(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of review.cpp.

namespace ladder {

struct Context;

/// The verb review: what a person must look at. @return the exit status
int review(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of open.cpp.

namespace ladder {

struct Context;

/// `review open`: a submission in a checkout of its own. @return the exit status
int open_submission(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of amend.cpp.

namespace ladder {

struct Context;

/// `review amend`: a decision of staff, with its reason. @return the exit status
int amend(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of viva.cpp.

namespace ladder {

struct Context;

/// The verb viva: questions about what a student has written. @return the exit status
int viva(Context& context);

}  // namespace ladder

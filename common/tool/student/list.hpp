#pragma once
/// @file
/// The verbs of list.cpp.

namespace ladder {

struct Context;

/// `./ladder` alone: where one is, and what comes next. @return the exit status
int where_am_i(Context& context);

/// The verb list: lessons, or the rungs of a lesson, with what became of them. @return the exit status
int list(Context& context);

}  // namespace ladder

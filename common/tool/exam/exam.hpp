#pragma once
/// @file
/// The verb of exam.cpp.

namespace ladder {

struct Context;

/// The verb exam: an exam with inputs of its own, and its solutions. @return the exit status
int make_exam(Context& context);

}  // namespace ladder

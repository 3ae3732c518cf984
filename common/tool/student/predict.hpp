#pragma once
/// @file
/// The verb of predict.cpp.

namespace ladder {

struct Context;

/// The verb predict: a number that a page asks for, before it is measured. @return the exit status
int predict(Context& context);

}  // namespace ladder

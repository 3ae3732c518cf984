#pragma once
/// @file
/// The verb of submit.cpp.

namespace ladder {

struct Context;

/// The verb submit: packs what is handed in. @return the exit status
int submit(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of check.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb check: judges steps, or programs that are no steps. @return the exit status
int check(Context& context);

/// The options of `check`.
void add_check_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

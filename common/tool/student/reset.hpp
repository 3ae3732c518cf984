#pragma once
/// @file
/// The verb of reset.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb reset: a step as it was given; what was there is kept. @return the exit status
int reset(Context& context);

/// The options of `reset`.
void add_reset_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

#pragma once
/// @file
/// The verb of watch.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb watch: judges a step each time that it is saved. @return the exit status
int watch(Context& context);

/// The options of `watch`.
void add_watch_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

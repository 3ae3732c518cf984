#pragma once
/// @file
/// The verb of run.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb run: climbs ladders: checked, timed, graded, drawn. @return the exit status
int run(Context& context);

/// The options of `run`.
void add_run_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

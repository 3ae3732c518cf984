#pragma once
/// @file
/// The verb of submit.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb submit: packs what is handed in. @return the exit status
int submit(Context& context);

/// The options of `submit`.
void add_submit_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

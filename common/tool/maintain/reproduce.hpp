#pragma once
/// @file
/// The verb of reproduce.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb reproduce: what a published work found, measured here. @return the exit status
int reproduce(Context& context);

/// The options of `reproduce`.
void add_reproduce_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

#pragma once
/// @file
/// The verb of diff.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb diff: a step next to the one below or its reference. @return the exit status
int difference_to_reference(Context& context);

/// The options of `diff`.
void add_diff_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

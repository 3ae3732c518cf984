#pragma once
/// @file
/// The verb of regrade.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// `review regrade`: judges again after a change of ours. @return the exit status
int regrade(Context& context);

/// The options of `regrade`.
void add_regrade_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

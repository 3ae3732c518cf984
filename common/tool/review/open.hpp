#pragma once
/// @file
/// The verb of open.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// `review open`: a submission in a checkout of its own. @return the exit status
int open_submission(Context& context);

/// The options of `open`.
void add_open_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

#pragma once
/// @file
/// The verb of review.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb review: what a person must look at. @return the exit status
int review(Context& context);

/// The options of `review`.
void add_review_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

#pragma once
/// @file
/// The verb of similarity.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb similarity: submissions that are too much alike. @return the exit status
int similarity(Context& context);

/// The options of `similarity`.
void add_similarity_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

#pragma once
/// @file
/// The verb of amend.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// `review amend`: a decision of staff, with its reason. @return the exit status
int amend(Context& context);

/// The options of `amend`.
void add_amend_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

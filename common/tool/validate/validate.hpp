#pragma once
/// @file
/// The verb validate: programs with known labels, and what the executor or a GPU's own tools say of them.

#include "common/tool/core/context.hpp"
#include "common/tool/core/verb_options.hpp"

namespace ladder {

/// validate findings --suite DIR.
/// @return the exit status: 0 when nothing is missed, accused wrongly or not judged
int validate(Context& context);

/// The options of `validate`.
void add_validate_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

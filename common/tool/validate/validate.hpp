#pragma once
/// @file
/// The verb validate: programs with known labels, and what the executor or a GPU's own tools say of them.

#include "common/tool/core/context.hpp"

namespace ladder {

/// validate findings --suite DIR.
/// @return the exit status: 0 when nothing is missed, accused wrongly or not judged
int validate(Context& context);

}  // namespace ladder

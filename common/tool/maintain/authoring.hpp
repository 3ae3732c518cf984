#pragma once
/// @file
/// The verbs of those who write lessons: new files, stored results.

#include "common/tool/core/context.hpp"

namespace ladder {

/// The verb new. @return the exit status
int new_files(Context& context);

/// The verb results. @return the exit status
int stored_results(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verbs of those who write lessons: new files, stored results.

#include "common/tool/core/context.hpp"
#include "common/tool/core/verb_options.hpp"

namespace ladder {

/// The verb new. @return the exit status
int new_files(Context& context);

/// The verb results, but for compare. @return the exit status
int stored_results(Context& context);

/// The options of `results add`.
void add_results_add_options(CLI::App& app, Options& o, Typed& typed);

/// results convert: files of the schema before become files of the current one. @return the exit status
int convert_results(Context& context);

/// results compare. @return 1 where the files differ
int compare_results(Context& context);

}  // namespace ladder

#pragma once
/// @file
/// The verb of viva.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb viva: questions about what a student has written. @return the exit status
int viva(Context& context);

/// The options of `viva`.
void add_viva_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

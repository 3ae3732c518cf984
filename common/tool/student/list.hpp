#pragma once
/// @file
/// The verbs of list.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// `./ladder` alone: where one is, and what comes next. @return the exit status
int where_am_i(Context& context);

/// The verb list: lessons, or the rungs of a lesson, with what became of them. @return the exit status
int list(Context& context);

/// The options of `list`.
void add_list_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

#pragma once
/// @file
/// The verb of exam.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb exam: an exam with inputs of its own, and its solutions. @return the exit status
int make_exam(Context& context);

/// The options of `exam`.
void add_exam_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

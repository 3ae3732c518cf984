#pragma once
/// @file
/// The verb of predict.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb predict: a number that a page asks for, before it is measured. @return the exit status
int predict(Context& context);

/// The options of `predict`.
void add_predict_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

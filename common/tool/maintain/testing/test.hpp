#pragma once
/// @file
/// The verb of test.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb test: the tests of the repository. @return the exit status
int test(Context& context);

/// The options of `test`.
void add_test_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

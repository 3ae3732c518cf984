#pragma once
/// @file
/// The verb of bench.cpp.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// The verb bench: the times of one step next to its peers. @return the exit status
int bench(Context& context);

/// The options of `bench`.
void add_bench_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder

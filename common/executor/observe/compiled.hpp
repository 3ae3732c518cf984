#pragma once
/// @file
/// What nvcc made of a kernel, where nvcc is: registers and local memory.

#include "common/base/observation.hpp"

namespace ladder::executor {

/// Takes what `ptxas -v` said of the kernels of one source. Called before main by a source that the build generates.
int add_compiler_report(const char* text);

/// Sets `registers` and the counter local_bytes (local memory of a thread, times the threads of the launch), or says in
/// `skipped` why they are not known.
void add_compiled(LaunchCounters& launch);

}  // namespace ladder::executor

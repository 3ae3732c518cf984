#pragma once
/// @file
/// Registers and local memory of a kernel as nvcc compiled it, where nvcc is installed.

#include "common/base/observation/observation.hpp"

namespace ladder::executor {

/// Stores the output of `ptxas -v` for the kernels of one source. Called before main by a source that the
/// build generates.
int add_compiler_report(const char* text);

/// Sets `registers` and the counter local_bytes (local memory of a thread, times the threads of the launch),
/// or says in `skipped` why they are not known.
void add_ptxas_info(LaunchCounters& launch);

}  // namespace ladder::executor

#pragma once
/// @file
/// The threads of the machine that run blocks.

#include "common/executor/runtime/block.hpp"

namespace ladder::executor {

/// Runs all blocks of the kernel and returns when the last one is done. One kernel at a time.
/// A kernel without progress for LADDER_EXECUTOR_TIMEOUT seconds (20) is reported and ends the process.
void run_grid(const Kernel& kernel);

/// Sent to a thread of the pool whose kernel does not finish: its handler prints where it is.
int timeout_signal();
/// Seconds without progress before that.
long timeout_seconds();

}  // namespace ladder::executor

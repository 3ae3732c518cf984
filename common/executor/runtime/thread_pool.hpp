#pragma once
/// @file
/// The threads of the machine that run blocks.

#include "common/executor/runtime/block/block.hpp"

namespace ladder::executor {

/// Runs all blocks of the kernel and returns when the last one is done. One kernel at a time.
/// A kernel without progress for LADDER_EXECUTOR_TIMEOUT seconds (20) is reported and ends the process.
void run_grid(const Kernel& kernel);

/// Called by a thread of a kernel that has found an error and will end the process: returns when no block
/// that began before its own runs any more, or after 5 s, since one may wait for it. If one of these finds an
/// error too, that one is the error of the program, and this call never returns: the message is then the same
/// each time. Signal handlers may call it. In a cooperative launch, whose blocks run together, it returns at
/// once, and outside kernels too.
void let_earlier_blocks_end();

/// Sent to a thread of the pool whose kernel does not finish: its handler prints where it is.
int timeout_signal();
/// Seconds without progress of the kernel that does not finish.
extern long seconds_without_progress;
/// Whether its blocks have passed barriers meanwhile, more than LADDER_EXECUTOR_BARRIERS.
extern bool passes_barriers;
/// Seconds without progress before that.
long timeout_seconds();

}  // namespace ladder::executor

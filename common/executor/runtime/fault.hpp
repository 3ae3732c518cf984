#pragma once
/// @file
/// Turns a wrong memory access into a message with the line, the thread and the allocation.

namespace ladder::executor {

/// Installs the handlers; once, and before main where the linker has not left this file out: allocation calls
/// it.
void watch_faults();

/// Gives a thread of the pool a stack for its signal handlers: that of a kernel thread may be what is full.
void prepare_thread_for_faults();

}  // namespace ladder::executor
